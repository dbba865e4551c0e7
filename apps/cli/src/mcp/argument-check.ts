// Checks what a model sends to a tool against the tool's schema; says in sentences what is wrong and what would be right.
import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";
import type { TObject } from "typebox";

const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true, allowUnionTypes: true }));
/** A name is the model's own text: no longer than needed to recognize it. */
const shownOfName = 60;

const sentenceOf = ({ instancePath, keyword, params, message }: ErrorObject, known: readonly string[]): string => {
  const { additionalProperty, missingProperty, allowedValues, type, format } = params as Record<string, unknown>;
  const path = [...instancePath.split("/").slice(1), additionalProperty ?? missingProperty].filter(Boolean).join(".");
  const field = path.slice(0, shownOfName) || "The arguments";
  const words = (values: unknown): string => [values].flat().map(String).join(", ");
  if (keyword === "additionalProperties") return `${field} is not known to this tool; it takes ${words(known)}.`;
  if (keyword === "required") return `${field} is missing.`;
  if (keyword === "enum") return `${field} must be one of ${words(allowedValues)}.`;
  if (keyword === "type") return `${field} must be of type ${[type].flat().join(" or ")}.`;
  if (format === "uuid")
    return `${field} must be a whole id such as 0199aa10-7c4e-7b6e-9d0a-3f2a51d8c001 (see list_tasks).`;
  if (keyword === "pattern" && (params as { pattern?: string }).pattern === "\\S") return `${field} must not be blank.`;
  return `${field} ${(message ?? "is not valid").replace("must NOT", "must not")}.`;
};

/** A function that says all that is wrong with arguments, or undefined. */
export const createArgumentCheck = (schema: TObject): ((given: unknown) => string | undefined) => {
  const validate = ajv.compile(schema);
  const known = Object.keys(schema.properties);
  return (given) => {
    if (validate(given)) return undefined;
    return [...new Set((validate.errors ?? []).map((error) => sentenceOf(error, known)))].slice(0, 5).join(" ");
  };
};
