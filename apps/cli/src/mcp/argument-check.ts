// Checks what a model sends to a tool against the tool's schema; says in a sentence what is wrong.
import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";
import type { TSchema } from "typebox";

const ajv = addFormats.default(new Ajv({ strict: false, allErrors: false, allowUnionTypes: true }));

const sentenceOf = ({ instancePath, keyword, params, message }: ErrorObject): string => {
  const { additionalProperty, missingProperty, allowedValues } = params as Record<string, unknown>;
  const path = [...instancePath.split("/").slice(1), additionalProperty ?? missingProperty].filter(Boolean).join(".");
  const field = path || "The arguments";
  if (keyword === "additionalProperties") return `${field} is not known to this tool.`;
  if (keyword === "required") return `${field} is missing.`;
  if (keyword === "enum") return `${field} must be one of ${(allowedValues as unknown[]).map(String).join(", ")}.`;
  if (keyword === "pattern" && (params as { pattern?: string }).pattern === "\\S") return `${field} must not be blank.`;
  return `${field} ${message ?? "is not valid"}.`;
};

/** A function that says what is wrong with arguments, or undefined. */
export const createArgumentCheck = (schema: TSchema): ((given: unknown) => string | undefined) => {
  const validate = ajv.compile(schema);
  return (given) => {
    if (validate(given)) return undefined;
    const [first] = validate.errors ?? [];
    return first ? sentenceOf(first) : "The arguments are not valid.";
  };
};
