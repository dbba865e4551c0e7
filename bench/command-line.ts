// What the bench is told: which questions, how thorough, where to write the results.
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export const questionNames = [
  "dispatch",
  "capacity",
  "create",
  "wake",
  "depth",
  "filter",
  "snapshot",
  "waiters",
  "lists",
] as const;
export type QuestionName = (typeof questionNames)[number];

export interface CommandLine {
  names: readonly QuestionName[];
  isQuick: boolean;
  jsonFile: string | undefined;
  /** Where what `lists` has filled stays for the next run. */
  keptDir: string | undefined;
  /** Of `lists` only the requests whose address holds this. */
  match: string;
}

export const usage = `Usage: npm run bench [-- NAME… [--quick] [--json FILE] [--keep DIR] [--match TEXT]]

  NAME          ${questionNames.join(", ")}; all without one
  --quick       small numbers, to see that everything works
  --json FILE   write the results there, too
  --keep DIR    keep the tasks that \`lists\` has filled there, and take them from there the next time
  --match TEXT  of \`lists\` only the requests whose address holds this
`;

const isName = (text: string): text is QuestionName => questionNames.some((name) => name === text);

/** Throws an error whose message is for the reader. */
export const readCommandLine = (args: string[]): CommandLine => {
  const options = {
    quick: { type: "boolean", default: false },
    json: { type: "string" },
    keep: { type: "string" },
    match: { type: "string", default: "" },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const unknown = positionals.find((text) => !isName(text));
  if (unknown !== undefined) throw new Error(`There is no question "${unknown}".`);
  const asked = positionals.filter(isName);
  return {
    names: asked.length === 0 ? questionNames : questionNames.filter((name) => asked.includes(name)),
    isQuick: values.quick,
    jsonFile: values.json === undefined ? undefined : resolve(values.json),
    keptDir: values.keep === undefined ? undefined : resolve(values.keep),
    match: values.match,
  };
};
