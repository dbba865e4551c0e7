// Times as the git host prints them: RFC 3339 in UTC with whole seconds.

/** RFC 3339 has four digits for a year. */
const isPrintable = (time: Date): boolean => time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9999;

/** Throws a RangeError for what is no time in the years 0000 to 9999 of UTC. */
export const rfc3339 = (time: Date): string => {
  if (!isPrintable(time)) throw new RangeError("only times in the years 0000 to 9999 can be told");
  return `${time.toISOString().slice(0, 19)}Z`;
};

const pattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** The time that RFC 3339 text names; undefined for anything else, and for what is in no year 0000 to 9999 of UTC. */
export const readTime = (text: string): Date | undefined => {
  const time = pattern.test(text) ? new Date(text) : undefined;
  return time && isPrintable(time) ? time : undefined;
};
