// The command line: what is taken, what is refused, and which paths of the command are made absolute.
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseExecutorArguments, UsageError } from "./executor-arguments.ts";
import { defaultLogDirectory } from "./executor-flags.ts";

const here = import.meta.dirname;
const parse = (line: string) => parseExecutorArguments(line.split(" "), [here]);

test("only a command is needed", () => {
  expect(parse("-- agent --slots 3 -- x")).toEqual({
    command: ["agent", "--slots", "3", "--", "x"],
    name: `${hostname()}-1`,
    slots: 1,
    filters: { agentTypes: [] },
    workDirectory: tmpdir(),
    logDirectory: defaultLogDirectory(),
    leaseSeconds: 60,
    timeLimitSeconds: undefined,
    memoryLimitBytes: undefined,
    stopAtOnce: false,
  });
});

test("every option is understood", () => {
  const line =
    "--slots 3 --name a-1 --organization acme --agent-type x --agent-type y --work-dir /w --logs /l --lease 10s --time-limit 2h --memory-limit 512M --stop-at-once -- agent {prompt_file}";
  expect(parse(line)).toEqual({
    command: ["agent", "{prompt_file}"],
    name: "a-1",
    slots: 3,
    filters: { organization: "acme", agentTypes: ["x", "y"] },
    workDirectory: "/w",
    logDirectory: "/l",
    leaseSeconds: 10,
    timeLimitSeconds: 7_200,
    memoryLimitBytes: 512 * 2 ** 20,
    stopAtOnce: true,
  });
  expect(parse("--help")).toBeNull();
  expect(parse("--no-logs -- agent")?.logDirectory).toBeUndefined();
});

test("files of the command with a slash are found from where the executor was started", () => {
  expect(parse("-- node ./main.ts main.ts ./none.ts /abs -c=./main.ts")?.command).toEqual([
    "node",
    join(here, "main.ts"),
    "main.ts",
    "./none.ts",
    "/abs",
    "-c=./main.ts",
  ]);
});

test.each([
  ["--slots 1", "no command"],
  ["--slots 1 --", "no command"],
  ["--slots 0 -- x", "1 to 100"],
  ["--slots 101 -- x", "1 to 100"],
  ["--slots 1e1 -- x", "1 to 100"],
  ["--slot 1 -- x", "Unknown option '--slot'"],
  ["x -- y", "Unexpected argument 'x'"],
  [`--name ${"n".repeat(101)} -- x`, "visible characters"],
  ["--agent-type developer -- x", "needs --organization"],
  ["--lease 9s -- x", "--lease is at least 10s"],
  ["--lease 25h -- x", "at most 24h"],
  ["--time-limit 90 -- x", "--time-limit is a number with s or m or h behind it, at most 500h"],
  ["--time-limit 501h -- x", "at most 500h"],
  ["--memory-limit 0G -- x", "--memory-limit is a number with M or G behind it, at most 1024G"],
  ["-- x {prompt}.md", "must be an argument of its own"],
  ["-- x {promt_file}", "{promt_file} is none of {prompt_file},"],
])("%s is refused", (line, message) => {
  expect(() => parse(line)).toThrow(UsageError);
  expect(() => parse(line)).toThrow(message);
});

test("an agent type's id needs no organization", () => {
  const id = "0197a0b0-1111-7222-8333-444455556666";
  expect(parse(`--agent-type ${id} -- x`)?.filters).toEqual({ agentTypes: [id] });
});
