// One worker process: started in its own group, fed its prompt, listened to, and ended with all its children.
import { type ChildProcessWithoutNullStreams, type SpawnOptionsWithoutStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { endProcessGroup } from "./process-group.ts";
import { readLines } from "./worker-output.ts";

export type Command = readonly [file: string, ...args: string[]];

export interface WorkerProcess {
  readonly command: Command;
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Written to standard input, which is then closed. */
  readonly input: string;
  readonly print: (stream: "stdout" | "stderr", line: string) => void;
  readonly signal: AbortSignal;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
}

/** For what is still in the pipes once the group is gone; a process that left the group may hold them open. */
const lastOutputMs = 1_000;

/**
 * Resolves when the worker has ended with 0; rejects with the reason of `signal`, or with an Error that names exit code
 * or signal and the last line of standard error. Either way no process of its group is left.
 */
export const runWorkerProcess = async (worker: WorkerProcess): Promise<void> => {
  const { command, directory, environment, input, print, signal, graceMs = 10_000 } = worker;
  signal.throwIfAborted();
  const [file, ...args] = command;
  const child = started(file, args, { cwd: directory, env: environment, detached: true, stdio: "pipe" });
  const { pid, stdin, stdout, stderr } = child;
  const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  if (pid === undefined) return exit.then(() => undefined, cannotStart(file));

  let ending: Promise<void> | undefined;
  const end = () => (ending ??= endProcessGroup(pid, graceMs));
  signal.addEventListener("abort", end, { once: true });

  // A worker may end without having read its prompt (EPIPE).
  stdin.on("error", () => undefined);
  stdin.end(input);
  let lastComplaint = "";
  const output = Promise.allSettled([
    readLines(stdout, (line) => print("stdout", line)),
    readLines(stderr, (line) => {
      if (line.trim()) lastComplaint = line;
      print("stderr", line);
    }),
  ]);

  const [code, killedBy] = await exit;
  const wasStopped = signal.aborted;
  await end();
  signal.removeEventListener("abort", end);
  await Promise.race([output, sleep(lastOutputMs, undefined, { ref: false })]);
  stdout.destroy();
  stderr.destroy();

  if (wasStopped) throw signal.reason;
  if (code === 0) return;
  const cause = killedBy ? `killed by ${killedBy}` : `exit code ${code}`;
  throw new Error(lastComplaint ? `${cause}: ${lastComplaint}` : cause);
};

const tooLong =
  "an argument is too long for this system; put {prompt_file} in the place of {prompt}, or {persona_file} in that of {persona}";

/** As `spawn`, whose errors but for those of a missing file or right are thrown. */
const started = (
  file: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio,
): ChildProcessWithoutNullStreams => {
  try {
    return spawn(file, args, options);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "E2BIG" ? new Error(`cannot start ${file}: ${tooLong}`) : error;
  }
};

const cannotStart = (file: string) => (error: NodeJS.ErrnoException) => {
  throw new Error(`cannot start ${file}: ${error.code ?? error.message}`);
};
