// The one error that carries an answer from 400 up (D-03), and the document made of it.
import { type Problem, type ProblemCode, problemCodes } from "@task-service/contract";

export type ProblemFinding = NonNullable<Problem["errors"]>[number];

export interface ProblemExtras {
  errors?: ProblemFinding[];
  headers?: Record<string, string>;
}

/** Thrown anywhere below a route; the error handler writes it as the answer. */
export class RequestProblem extends Error {
  override readonly name = "RequestProblem";
  readonly code: ProblemCode;
  readonly errors: ProblemFinding[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, { errors, headers = {} }: ProblemExtras = {}) {
    super(detail);
    this.code = code;
    this.errors = errors;
    this.headers = headers;
  }
}

/** `invalid_request` that names one field: `pointer` is `/field` in the body or `?name` for a parameter. */
export const invalid = (pointer: string, detail: string): RequestProblem =>
  new RequestProblem("invalid_request", `${pointer.replace(/^[/?]/, "")}: ${detail}`, {
    errors: [{ pointer, detail }],
  });

/** `not_found` for a thing named in the path. */
export const missing = (what: string): RequestProblem => new RequestProblem("not_found", `There is no such ${what}.`);

export const problemDocument = (problem: RequestProblem, requestId: string): Problem => {
  const { status, title } = problemCodes[problem.code];
  return {
    type: `urn:task-service:problem:${problem.code}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors && { errors: problem.errors }),
  };
};
