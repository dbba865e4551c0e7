// `task-service` inside the test's own process, with streams, settings and a folder of its own: for what a command prints and does.
import { PassThrough, Writable } from "node:stream";
import { runProgram } from "../src/program.ts";
import { cleanEnvironment, type Ended, saying } from "./cli-process.ts";

/** With what is printed there, and the input to write to. */
export const surroundingsOf = (environment: NodeJS.ProcessEnv, folder = "/") => {
  const printed = { out: "", error: "" };
  const into = (name: keyof typeof printed) =>
    new Writable({
      decodeStrings: false,
      write: (chunk: string, _, done) => {
        printed[name] += chunk;
        done();
      },
    });
  const stdin = new PassThrough();
  const streams = { stdin, stdout: into("out"), stderr: into("error") };
  return { printed, stdin, surroundings: { env: cleanEnvironment(environment), cwd: () => folder, ...streams } };
};

/** Starts a command whose standard input stays open until `stdin.end`. Signals are for processes: see `startCli`. */
export const startCall = (args: readonly string[], environment: NodeJS.ProcessEnv, folder?: string) => {
  const { printed, stdin, surroundings } = surroundingsOf(environment, folder);
  const ended: Promise<Ended> = runProgram(args, surroundings).then((code) => ({ code, ...printed }));
  return { stdin, printed, ended, says: saying(printed) };
};

/** Runs a command to its end, with `input` on standard input. */
export const callCli = (
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  input = "",
  folder?: string,
): Promise<Ended> => {
  const { stdin, ended } = startCall(args, environment, folder);
  stdin.end(input);
  return ended;
};
