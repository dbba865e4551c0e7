// Turns what went wrong into words for a person, and into errors at the fields of a form.
import { ProblemError, UnexpectedAnswerError } from "@task-service/contract";

/** One sentence or two for a person. */
export const problemWords = (error: unknown): string => {
  if (error instanceof ProblemError) return error.problem.detail || error.problem.title;
  if (error instanceof UnexpectedAnswerError) return `The task service answered with status ${error.status}.`;
  if (error instanceof TypeError) return "The task service could not be reached.";
  return error instanceof Error ? error.message : String(error);
};

/** The API says what a field must be ("is taken"); alone under the field that begins with a capital. */
const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const fieldOf = (pointer: string): string => pointer.split("/")[1] ?? "";

/** The codes that speak of one field without pointing to it. */
const fieldOfCode: Readonly<Record<string, string>> = {
  unknown_assignee: "assignee",
  inactive_agent_type: "assignee",
  slug_taken: "slug",
  follow_up_limit: "parent_id",
};

/**
 * Splits a failure into errors by field and the rest, for a notice above the form. A problem that points
 * at a field which the form does not have is part of the rest.
 */
export const fieldProblems = <F extends string>(
  error: unknown,
  fields: readonly F[],
): { byField: Partial<Record<F, string>>; rest: string | null } => {
  const isField = (name: string): name is F => (fields as readonly string[]).includes(name);
  const byField: Partial<Record<F, string>> = {};
  if (!(error instanceof ProblemError)) return { byField, rest: problemWords(error) };
  const elsewhere: string[] = [];
  for (const { pointer, detail } of error.problem.errors ?? []) {
    const field = fieldOf(pointer);
    if (isField(field)) byField[field] ??= sentence(detail);
    else elsewhere.push(sentence(detail));
  }
  const ownField = fieldOfCode[error.code];
  if (ownField && isField(ownField)) byField[ownField] ??= problemWords(error);
  const isPlaced = Object.keys(byField).length > 0;
  return { byField, rest: elsewhere.join(" ") || (isPlaced ? null : problemWords(error)) };
};
