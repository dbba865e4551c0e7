// Lines for this process's output, whose reader may stand still: a terminal after Ctrl-S, a pipe that nobody reads.
import type { Writable } from "node:stream";

/** What may wait for a reader; lines that come after it are counted only. */
const maxWaitingCharacters = 2 ** 20;

/** A terminal makes its writer wait, and with it all else that the process does. Node has no public way to have that otherwise. */
const writeWithoutWaiting = (stream: Writable): void => {
  const { isTTY, _handle: handle } = stream as { isTTY?: boolean; _handle?: { setBlocking?: (isOn: boolean) => void } };
  if (isTTY) handle?.setBlocking?.(false);
};

/**
 * A function that writes a line and never waits. Once 1 MiB is waiting no more is written; when most of it was read the number of
 * lines that are missing is told in their place.
 */
export const createTerminalOutput = (stream: Writable, maxWaiting = maxWaitingCharacters): ((line: string) => void) => {
  let missing = 0;
  writeWithoutWaiting(stream);

  const write = (line: string): void => {
    stream.write(`${line}\n`, () => {
      if (missing === 0 || stream.writableLength > maxWaiting / 2) return;
      const count = missing;
      missing = 0;
      write(`… ${count} lines not shown`);
    });
  };

  return (line) => {
    if (missing > 0 || stream.writableLength > maxWaiting) missing += 1;
    else write(line);
  };
};

/** Has a process that has nothing left to do end though nobody reads what it wrote: `ms` from now, but for that it would end by itself. */
export const endWithoutReader = (ms: number): void => {
  setTimeout(() => {
    if (process.stdout.writableLength + process.stderr.writableLength > 0) process.exit();
  }, ms).unref();
};
