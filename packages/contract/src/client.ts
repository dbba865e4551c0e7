// The one typed client of the API: a method per operation, the same for UI, executor, CLI and tests.
import type { Answer, Body, Headers, Operation, Params, Querystring } from "./operation.ts";
import { type OperationName, type Operations, operations } from "./operations.ts";
import type { Problem, ProblemCode } from "./problems.ts";

/** An answer from 400 up. Branch on `code`. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ProblemCode;
  readonly status: number;
  readonly problem: Problem;
  /** Seconds the server asks to wait before trying again, if it says. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail);
    this.code = problem.code;
    this.status = problem.status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Something that is not the API answered: a proxy's error page, say. */
export class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
  readonly status: number;

  constructor(status: number, url: string) {
    super(`${url} answered ${status} with something that is not the task service's JSON`);
    this.status = status;
  }
}

export interface ClientOptions {
  /** Where the API is, including the public prefix: `https://tasks.example/api`. */
  baseUrl: string;
  /** Called for every request; a token may have been renewed since the last one. */
  token?: () => string | undefined | Promise<string | undefined>;
  fetch?: typeof globalThis.fetch;
}

type Needed<Name extends string, T> = [T] extends [undefined] ? unknown : { [N in Name]: T };
type Allowed<Name extends string, T> = [T] extends [undefined] ? unknown : { [N in Name]?: T };
type Sent<O extends Operation> = O extends { readonly isBodyOptional: true }
  ? Allowed<"body", Body<O>>
  : Needed<"body", Body<O>>;

export type Input<O extends Operation> = { signal?: AbortSignal } & Needed<"params", Params<O>> &
  Sent<O> &
  Allowed<"query", Querystring<O>> &
  Allowed<"headers", Headers<O>>;

type Method<O extends Operation> =
  Record<never, never> extends Input<O>
    ? (input?: Input<O>) => Promise<Answer<O>>
    : (input: Input<O>) => Promise<Answer<O>>;

/**
 * One method per operation, named after it. Each resolves to the answer's body (null for 204),
 * rejects with {@link ProblemError} for a problem document, {@link UnexpectedAnswerError} for anything else
 * that is no success, and whatever `fetch` rejects with when there was no answer.
 */
export type Client = { [Name in OperationName]: Method<Operations[Name]> };

export interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

/** Where an operation is called. `baseUrl` may end in slashes. */
export const operationUrl = (baseUrl: string, path: string, { params = {}, query = {} }: AnyInput): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
    ),
  ).toString();
  return `${baseUrl.replace(/\/+$/, "")}${filled}${search && `?${search}`}`;
};

const jsonOf = async (response: Response): Promise<unknown> => {
  const isJson = /^application\/(?:[\w.+-]*\+)?json\b/.test(response.headers.get("content-type") ?? "");
  return isJson ? response.json().catch(() => undefined) : undefined;
};

/** What an answer that is no success rejects with; `answer` is its body, if that was JSON. */
export const refusalOf = (response: Response, url: string, answer: unknown): ProblemError | UnexpectedAnswerError => {
  if (!(answer as Partial<Problem> | undefined)?.code) return new UnexpectedAnswerError(response.status, url);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ProblemError(answer as Problem, Number.isFinite(retryAfter) ? retryAfter : undefined);
};

export const createClient = ({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Client => {
  const send = async (operation: Operation, input: AnyInput = {}): Promise<unknown> => {
    const bearer = operation.isPublic ? undefined : await token?.();
    const url = operationUrl(baseUrl, operation.path, input);
    const response = await fetch(url, {
      method: operation.method,
      headers: {
        accept: "application/json, application/problem+json",
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(input.body !== undefined && { "content-type": "application/json" }),
        ...input.headers,
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      ...(input.signal && { signal: input.signal }),
      redirect: "error",
    });
    if (response.status === 204) return null;
    const answer = await jsonOf(response);
    if (answer === undefined) throw new UnexpectedAnswerError(response.status, url);
    if (response.ok) return answer;
    throw refusalOf(response, url, answer);
  };

  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, (input?: AnyInput) => send(operation, input)]),
  ) as unknown as Client;
};
