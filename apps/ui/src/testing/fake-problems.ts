// The problems that the fake API answers.
import { type Problem, type ProblemCode, ProblemError, problemCodes } from "@task-service/contract";

/** The problem the API would answer. */
export const problem = (code: ProblemCode, detail: string, errors?: Problem["errors"]): ProblemError =>
  new ProblemError({
    ...problemCodes[code],
    type: `/problems/${code}`,
    detail,
    code,
    request_id: "test",
    ...(errors && { errors }),
  });
