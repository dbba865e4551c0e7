// The parent's half: Node programs that run beside the bench, called by name, ended with it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dieWithParent } from "../../dev/unit-process.ts";
import type { Commands, Reply } from "./commands.ts";

export interface Child<C extends Commands> {
  /** Rejects when the command fails or the child ends first. */
  call<N extends keyof C & string>(name: N, ...input: Parameters<C[N]>): Promise<Awaited<ReturnType<C[N]>>>;
  stop(): Promise<void>;
}

const maxStopMs = 12_000;

/** Ends a process with SIGTERM, after 12 s with SIGKILL, and waits until it has. */
export const endProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const last = setTimeout(() => child.kill("SIGKILL"), maxStopMs);
  await once(child, "exit");
  clearTimeout(last);
};

/** Starts `node FILE ARGS`, which must {@link serve} commands of type `C`. */
export const startChild = <C extends Commands>(file: string, ...args: string[]): Child<C> => {
  const [program = "", ...rest] = dieWithParent("TERM", [process.execPath, file, ...args]);
  // A session of its own: the terminal's Ctrl-C is the parent's business.
  const child = spawn(program, rest, { detached: true, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  child.on("message", ({ id, output, error }: Reply) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(output);
    else call?.reject(new Error(error));
  });
  child.on("exit", () => {
    for (const call of waiting.values()) call.reject(new Error(`${file} has ended`));
  });
  return {
    call: <N extends keyof C & string>(name: N, ...input: Parameters<C[N]>) => {
      const call = Promise.withResolvers<unknown>();
      const id = ++lastId;
      waiting.set(id, call);
      child.send({ id, name, input });
      return call.promise as Promise<Awaited<ReturnType<C[N]>>>;
    },
    stop: () => endProcess(child),
  };
};
