// Writes numbers, durations and instants on axes the way the reader's locale does.
const whole = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A whole number with its thousands apart. */
export const numberWord = (value: number): string => whole.format(value);

/** A number for an axis or a narrow place: "1.2K". */
export const shortNumber = (value: number): string => compact.format(value);

/** A duration in ms, in its largest unit with one digit: "0.4 s", "2.5 min", "3 h", "2 d". */
export const durationWord = (ms: number): string => {
  const seconds = ms / 1_000;
  if (seconds < 60) return `${oneDigit.format(seconds)} s`;
  if (seconds < 3_600) return `${oneDigit.format(seconds / 60)} min`;
  if (seconds < 172_800) return `${oneDigit.format(seconds / 3_600)} h`;
  return `${oneDigit.format(seconds / 86_400)} d`;
};

/** One thing or several: `countOf(1, "task")` is "1 task", else "2 tasks". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${numberWord(count)} ${count === 1 ? one : many}`;
