// Whether what answers is the task service: another one's JSON is found out here, not where a command stumbles over it.
import {
  type Client,
  namedSchemas,
  type Operation,
  operations,
  type Problem,
  ProblemError,
  UnexpectedAnswerError,
} from "@task-service/contract";
import { CommandFailure, exitCodes } from "./exit-codes.ts";
import { shortened } from "./shortened-text.ts";

type Call = (input: never) => Promise<unknown>;

/** The part of JSON Schema that says what kind of value there must be; bounds and formats are the service's to keep. */
interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
}

const named = new Map(namedSchemas.map((schema) => [`${schema.$id}#`, schema as Shape]));

const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

const fits = (shape: Shape, value: unknown): boolean => {
  const { type, properties = {}, required = [], items = {} } = (shape.$ref && named.get(shape.$ref)) || shape;
  const kind = kindOf(value);
  const kinds = [type ?? []].flat().map((one) => (one === "integer" ? "number" : one));
  if (kinds.length > 0 && !kinds.includes(kind)) return false;
  if (kind === "array") return (value as unknown[]).every((item) => fits(items, item));
  if (kind !== "object") return true;
  const fields = value as Record<string, unknown>;
  const isWhole = required.every((name) => name in fields);
  return isWhole && Object.entries(properties).every(([name, one]) => !(name in fields) || fits(one, fields[name]));
};

const isAnswer = ({ response }: Operation, answer: unknown): boolean =>
  Object.entries(response).some(([status, shape]) => (status === "204" ? answer === null : fits(shape, answer)));

const isProblem = (problem: Problem): boolean => fits({ $ref: "Problem#" }, problem);

/** `client` of the service at `serviceUrl`, which rejects with a failure when something else answers. */
export const checkAnswers = (client: Client, serviceUrl: string): Client => {
  const somethingElse = (): CommandFailure => {
    const sentence = `${shortened(serviceUrl)} does not answer as the task service does. Is TASK_SERVICE_URL right?`;
    return new CommandFailure(exitCodes.outOfReach, sentence);
  };
  const checked =
    (operation: Operation, call: Call): Call =>
    async (input) => {
      const answer = await call(input).catch((error: unknown) => {
        if (!(error instanceof ProblemError) || isProblem(error.problem)) throw error;
        const { status } = error.problem;
        throw typeof status === "number" && status >= 500
          ? new UnexpectedAnswerError(status, serviceUrl)
          : somethingElse();
      });
      if (!isAnswer(operation, answer)) throw somethingElse();
      return answer;
    };
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      checked(operation, client[name as keyof Client] as Call),
    ]),
  ) as unknown as Client;
};
