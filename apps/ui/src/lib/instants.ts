// Says instants and ages the way a person would.

const units = [
  { name: "y", seconds: 31_536_000 },
  { name: "mo", seconds: 2_592_000 },
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
] as const;

/** How long between two instants, in its largest unit: "14 min", "3 h"; "< 1 min" below one. */
export const span = (from: number, to: number): string => {
  const seconds = Math.max(0, (to - from) / 1_000);
  const unit = units.find((one) => seconds >= one.seconds);
  return unit ? `${Math.floor(seconds / unit.seconds)} ${unit.name}` : "< 1 min";
};

/** How long ago `instant` was: "14 min ago"; "just now" within a minute, and for clocks that run ahead. */
export const ago = (instant: string, now: number): string => {
  const at = Date.parse(instant);
  return now - at < 60_000 ? "just now" : `${span(at, now)} ago`;
};

const exactFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** The instant in the reader's zone, to the second. */
export const exact = (instant: string): string => exactFormat.format(new Date(instant));

/** How long something lasted: seconds below a minute, then as {@link span}. */
export const lasting = (from: string, to: string): string => {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const seconds = Math.max(0, Math.round((end - start) / 1_000));
  return seconds < 60 ? `${seconds} s` : span(start, end);
};
