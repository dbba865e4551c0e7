// Numbers that look random and are the same in every run: what is filled today can be compared with what was filled yesterday.

export interface RandomSource {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `count`; with a `skew` above 1 the small ones come more often. */
  below(count: number, skew?: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** Exponentially distributed. */
  wait(mean: number): number;
  /** One of them; with a `skew` above 1 those in front come more often. */
  pick<T>(items: readonly [T, ...T[]], skew?: number): T;
}

/** Mulberry32. */
export const createRandom = (seed: number): RandomSource => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number, skew = 1): number => Math.floor(count * next() ** skew);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    wait: (mean) => -mean * Math.log(1 - next()),
    pick: (items, skew) => items[below(items.length, skew)] ?? items[0],
  };
};

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** A UUIDv7 of this instant, in milliseconds since 1970. */
export const idAt = (ms: number, random: RandomSource): string => {
  const time = hex(Math.floor(ms), 12);
  const [counter, variant] = [hex(0x7000 + random.below(0x1000), 4), hex(0x8000 + random.below(0x4000), 4)];
  return `${time.slice(0, 8)}-${time.slice(8)}-${counter}-${variant}-${hex(random.below(2 ** 32), 8)}${hex(random.below(2 ** 16), 4)}`;
};
