// What is queued, the same for every side: prompts of about 500 characters and four priorities.

/** Enough text for many different prompts to be cut from. */
export const promptText = Array.from(
  { length: 30 },
  (_, n) => `Step ${n}: read the report, mend the fault in module ${(n * 7919) % 997}, prove it with a test. `,
).join("");

export const promptCharacters = 500;
/** Prompt `n` begins at `n % promptStarts`. */
export const promptStarts = promptText.length - promptCharacters;

export const promptOf = (n: number): string =>
  promptText.slice(n % promptStarts, (n % promptStarts) + promptCharacters);

/** Out of every twenty tasks: one urgent, two high, one low, the others normal. Higher goes first. */
export const priorities = [100, 50, 0, 0, 0, 0, 0, 50, 0, 0, 0, 0, 0, 0, -50, 0, 0, 0, 0, 0];

export const priorityOf = (n: number): number => priorities[n % priorities.length] ?? 0;
