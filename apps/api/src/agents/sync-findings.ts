// What is kept of the findings of a synchronization: enough to work with, however many there are (D-10).
import type { SyncFinding } from "@task-service/contract";

const mostOfFile = 10;
const mostOfAll = 5000;
const maxDetailCharacters = 500;

const counting = (path: string, more: number): SyncFinding => ({
  path,
  line: null,
  detail: `${more} more like these.`,
});

const cut = (findings: SyncFinding[], most: number, path: string): SyncFinding[] =>
  findings.length <= most ? findings : [...findings.slice(0, most - 1), counting(path, findings.length - most + 1)];

const shorten = ({ path, line, detail }: SyncFinding): SyncFinding => {
  const characters = [...detail];
  const isLong = characters.length > maxDetailCharacters;
  return { path, line, detail: isLong ? `${characters.slice(0, maxDetailCharacters - 1).join("")}…` : detail };
};

/**
 * At most 10 findings of a file, 5,000 in all, of 500 characters each; the last one says how many more there were.
 * What was bounded before stays as it is, so what is carried over from run to run loses nothing.
 */
export const boundFindings = (findings: readonly SyncFinding[], folder: string): SyncFinding[] => {
  const files = Map.groupBy(findings.map(shorten), ({ path }) => path);
  const kept = [...files].flatMap(([path, ofFile]) => cut(ofFile, mostOfFile, path));
  return cut(kept, mostOfAll, folder);
};
