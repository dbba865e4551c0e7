// What may stand in a persona's frontmatter: `name` and `description` as text, and nothing else that counts.
import type { FrontmatterField } from "./frontmatter.ts";
import type { Fault } from "./frontmatter-lines.ts";
import { isProbably } from "./spelling.ts";
import { excerpt } from "./storable-text.ts";

const maxCharacters = { name: 200, description: 2000 };
type PersonaKey = keyof typeof maxCharacters;
const personaKeys: PersonaKey[] = ["name", "description"];

/** What people configure of a runtime in files like these, without regard to case, `-` and `_`. */
const executorKeys = new Set(
  (
    "agent allowedtools color context disallowedtools effort hooks isolation maxtokens maxturns mcp mcpservers memory mode " +
    "model models permission permissionmode permissions provider reasoning runtime sandbox skills temperature thinking " +
    "timeout tools topp"
  ).split(" "),
);

const isPersonaKey = (key: string): key is PersonaKey => personaKeys.some((one) => one === key);

const kindOf = (value: object | number | boolean): string => {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a group of keys";
  return typeof value === "number" ? "a number" : "yes or no";
};

const describeValue = ({ key, value, source }: FrontmatterField, limit: number): string | undefined => {
  if (value === null || value === undefined) {
    return `\`${key}\` is empty: write its text behind the colon, in quotes if it begins with \`#\`, \`&\` or \`!\`.`;
  }
  if (typeof value !== "string") {
    const quotes = source === undefined ? `\`${key}: "…"\`` : `\`${key}: "${excerpt(source)}"\``;
    return `\`${key}\` must be text, but this counts as ${kindOf(value)}: put the text in quotes, ${quotes}.`;
  }
  if (value.trim() === "") return `\`${key}\` is empty: write its text between the quotes.`;
  const characters = [...value].length;
  if (characters > limit) return `\`${key}\` has ${characters} characters, ${limit} are allowed: shorten it.`;
  if (value.includes("\0") || !value.isWellFormed()) {
    return `\`${key}\` holds a character that cannot be stored: look for a backslash (\`\\0\`, \`\\u…\`) and remove it.`;
  }
  return undefined;
};

const describeMissing = (key: PersonaKey, others: readonly FrontmatterField[]): Fault => {
  const misspelt = others.find((other) => isProbably(other.key, key));
  if (!misspelt) return { line: 1, detail: `\`${key}\` is missing: add a line \`${key}: …\` below this one.` };
  const detail = `\`${excerpt(misspelt.key)}\` is no key of a persona: did you mean \`${key}\`?`;
  return { line: misspelt.line, detail };
};

/** What keeps a persona out, by line. */
export const listFieldErrors = (fields: readonly FrontmatterField[]): Fault[] => {
  const others = fields.filter(({ key }) => !isPersonaKey(key));
  return personaKeys
    .flatMap((key): Fault[] => {
      const field = fields.find((one) => one.key === key);
      if (!field) return [describeMissing(key, others)];
      const detail = describeValue(field, maxCharacters[key]);
      return detail === undefined ? [] : [{ line: field.line, detail }];
    })
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
};

/** Keys that are ignored, by line. */
export const listFieldWarnings = (fields: readonly FrontmatterField[]): Fault[] =>
  fields
    .filter(({ key }) => !isPersonaKey(key))
    .map(({ key, line }) => {
      const isOfExecutor = executorKeys.has(key.toLowerCase().replaceAll(/[-_]/g, ""));
      const reason = isOfExecutor
        ? "it belongs to the executor, not to the persona"
        : "a persona has only `name` and `description`";
      return { line, detail: `\`${excerpt(key)}\` is ignored: ${reason}. Remove it.` };
    });
