// Times as the git host prints them: RFC 3339 in UTC with whole seconds.

export const rfc3339 = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

const pattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** The time that RFC 3339 text names; undefined for anything else. */
export const readTime = (text: string): Date | undefined => {
  const time = pattern.test(text) ? new Date(text) : undefined;
  return time && !Number.isNaN(time.getTime()) ? time : undefined;
};
