// Writes numbers, durations and instants on axes the way the reader's locale does.
const whole = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A whole number with its thousands apart. */
export const numberWord = (value: number): string => whole.format(value);

/** A number for an axis or a narrow place: "1.2K". */
export const shortNumber = (value: number): string => compact.format(value);

const durationUnits = [
  { name: "d", ms: 86_400_000, fromMs: 172_800_000 },
  { name: "h", ms: 3_600_000, fromMs: 3_600_000 },
  { name: "min", ms: 60_000, fromMs: 60_000 },
  { name: "s", ms: 1_000, fromMs: 0 },
] as const;

/** The unit in which a duration is said: days from two of them on. */
export const durationUnit = (ms: number) => durationUnits.find(({ fromMs }) => ms >= fromMs) ?? durationUnits[3];

/** So many of a unit, with one digit. */
export const inUnit = (value: number, unit: string): string => `${oneDigit.format(value)} ${unit}`;

/** A duration in ms, in its largest unit with one digit: "0.4 s", "2.5 min", "3 h", "2 d". */
export const durationWord = (ms: number): string => {
  const unit = durationUnit(ms);
  return inUnit(ms / unit.ms, unit.name);
};

/** One thing or several: `countOf(1, "task")` is "1 task", else "2 tasks". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${numberWord(count)} ${count === 1 ? one : many}`;
