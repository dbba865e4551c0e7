// Cutting a worker's output into lines as it comes.
import type { Readable } from "node:stream";

const maxLineCharacters = 16_384;

/** Calls `onLine` for every line; one without an end is cut, so that no worker fills the executor's memory. */
export const readLines = async (stream: Readable, onLine: (line: string) => void): Promise<void> => {
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
    if (rest.length > maxLineCharacters) {
      onLine(rest);
      rest = "";
    }
  }
  if (rest) onLine(rest);
};
