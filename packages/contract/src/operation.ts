// What the contract says of one operation: the API routes it, the client calls it, OpenAPI prints it.
import type { Static, TObject, TSchema } from "typebox";
import type { ProblemCode } from "./problems.ts";

export interface Operation {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `:name` for parameters, without the public prefix `/api`. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TObject;
  readonly querystring?: TObject;
  readonly headers?: TObject;
  readonly body?: TObject;
  /** The body may be left out. */
  readonly isBodyOptional?: boolean;
  /** The successful answers by status; 204 is `Type.Null()`. */
  readonly response: Readonly<Record<number, TSchema>>;
  /** What a 200 holds as `text/event-stream`, which is what it answers unless JSON is asked for. */
  readonly stream?: string;
  /** What it may answer besides the problems every operation has. */
  readonly problems?: readonly ProblemCode[];
  /** Reached without a token. */
  readonly isPublic?: boolean;
  /** What takes the token's place, by the names of the document's security schemes. */
  readonly signatures?: readonly string[];
}

/** Checks a definition without widening its types. */
export const operation = <const O extends Operation>(definition: O): O => definition;

type Part<O, Name extends keyof Operation> = O extends { readonly [N in Name]: infer S extends TSchema }
  ? Static<S>
  : undefined;

export type Params<O> = Part<O, "params">;
export type Querystring<O> = Part<O, "querystring">;
export type Headers<O> = Part<O, "headers">;
export type Body<O> = Part<O, "body">;

/** The successful answer; null stands for 204. */
export type Answer<O extends Operation> = {
  [S in keyof O["response"]]: O["response"][S] extends TSchema ? Static<O["response"][S]> : never;
}[keyof O["response"]];
