// Chance that can be repeated: a run draws everything from one seed, which its summary prints.

/** From 0 up to, not including, 1. */
export type Random = () => number;

/** Mulberry32: small, fast, and good enough to shuffle faults. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export const between = (random: Random, from: number, to: number): number => from + random() * (to - from);

export const pick = <T>(random: Random, choices: readonly [T, ...T[]]): T =>
  choices[Math.floor(random() * choices.length)] ?? choices[0];
