// The executor that a person is in the browser: its name, and for how long a task stays theirs.

const maxNameCharacters = 100;
const suffix = "-web";

/** As names of executors must be: nothing invisible in them, 100 characters at most. */
export const webExecutorName = (name: string): string =>
  `${name
    .trim()
    .replace(/[\s\p{C}]+/gu, "-")
    .slice(0, maxNameCharacters - suffix.length)}${suffix}`;

/** A tab that nobody looks at may run its timers only once a minute; this leaves room for several. */
export const leaseSeconds = 300;
export const heartbeatMs = 30_000;
