// A child process of the development environment: ends with its parent, says its name before each line, stops when told.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** What the stack starts and stops, whether it is a process or runs in this one. */
export interface Unit {
  stop(): Promise<void>;
  /** Settles when it has ended; the text says how. Absent for what ends only when it is stopped. */
  readonly ended?: Promise<string>;
}

export interface UnitCommand {
  name: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
}

/** The API is given 10 s to finish its requests (D-35). */
const maxStopMs = 12_000;
const lookMs = 40;
const maxAnswerMs = 2_000;

const hasSetpriv =
  process.platform === "linux" && spawnSync("setpriv", ["--pdeathsig=TERM", "true"], { stdio: "ignore" }).status === 0;

/** The command, prefixed so that Linux sends it `signal` when this process dies, even by SIGKILL. */
export const dieWithParent = (signal: "INT" | "TERM", command: string[]): string[] =>
  hasSetpriv ? ["setpriv", `--pdeathsig=${signal}`, ...command] : command;

/** Starts `node ARGS`; its lines go to standard error behind its name. */
export const startUnit = ({ name, args, env, cwd }: UnitCommand): Required<Unit> => {
  const [file = "", ...rest] = dieWithParent("TERM", [process.execPath, ...args]);
  // A session of its own: the terminal's Ctrl-C must not end units out of order.
  const child = spawn(file, rest, { env, cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  for (const input of [child.stdout, child.stderr])
    createInterface(input).on("line", (line) => process.stderr.write(`${name.padEnd(8)} │ ${line}\n`));
  const ended = describeEnd(name, child);
  return {
    ended,
    stop: async () => {
      child.kill("SIGTERM");
      const last = setTimeout(() => child.kill("SIGKILL"), maxStopMs);
      await ended;
      clearTimeout(last);
    },
  };
};

const describeEnd = async (name: string, child: ChildProcess): Promise<string> => {
  try {
    const [code, signal] = await once(child, "exit");
    return `${name} ended with ${signal ?? `code ${code}`}`;
  } catch (error) {
    return `${name} did not start: ${(error as Error).message}`;
  }
};

/** Asks again and again until it is up. Rejects when the unit ends before that, or when `stopping` aborts. */
export const untilUp = async (
  { ended }: Required<Unit>,
  isUp: (signal: AbortSignal) => Promise<boolean>,
  stopping: AbortSignal,
): Promise<void> => {
  let end: string | undefined;
  void ended.then((how) => {
    end = how;
  });
  while (!(await isUp(AbortSignal.any([stopping, AbortSignal.timeout(maxAnswerMs)])).catch(() => false))) {
    stopping.throwIfAborted();
    if (end !== undefined) throw new Error(end);
    await new Promise((again) => setTimeout(again, lookMs));
  }
};
