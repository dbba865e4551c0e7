// Long texts in answers: a model is given their beginning, and told how to read on.
import Type from "typebox";
import { optional } from "./mcp-tool.ts";

const shownCharacters = 20_000;

/** The argument of tools that answer long texts, and the field that tells what was cut. */
export const MaxCharacters = optional(
  Type.Integer({ minimum: 100, maximum: 300_000 }),
  `How much of each long text to answer, in characters; ${shownCharacters} if left out`,
);
export const Cut = Type.Array(Type.String(), { description: "Texts that were cut, and how long they are whole" });

/** At most `limit` code points of `text`; what is lost is told to `cut` under `name`. */
export const cutText = (name: string, text: string, cut: string[], limit = shownCharacters): string => {
  // Code units are no fewer than code points.
  if (text.length <= limit) return text;
  const characters = [...text];
  if (characters.length <= limit) return text;
  cut.push(`${name}: the first ${limit} of ${characters.length} characters; a higher max_characters shows more`);
  return characters.slice(0, limit).join("");
};
