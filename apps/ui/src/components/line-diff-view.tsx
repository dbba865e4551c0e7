// What changed between two texts: lines that came and went, each with a few of those around it.
import { type DiffLine, diffParts } from "../lib/line-diff.ts";
import { countWord } from "../lib/task-words.ts";
import classes from "./line-diff-view.module.css";

const signs = { same: "", added: "+", removed: "−" } as const;
const elements = { same: "div", added: "ins", removed: "del" } as const;

const lineWord = (count: number): string => `${countWord(count)} ${count === 1 ? "line" : "lines"}`;

/** "2 lines added, 0 removed"; "The same text" where nothing changed. */
export const diffWords = (lines: readonly DiffLine[]): string => {
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  const [added, removed] = [count("added"), count("removed")];
  return added + removed === 0 ? "The same text" : `${lineWord(added)} added, ${countWord(removed)} removed`;
};

export const LineDiffView = ({ lines }: { lines: readonly DiffLine[] }) => (
  <div className={classes.diff}>
    {diffParts(lines).map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts hold no state, and have nothing else that tells them apart.
      <div key={at}>
        {part.skipped > 0 && <div className={classes.skipped}>{lineWord(part.skipped)} the same</div>}
        {part.lines.map(({ kind, text }, line) => {
          const Line = elements[kind];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <Line key={line} className={classes.line} dir="auto">
              <span className={classes.sign} aria-hidden>
                {signs[kind]}
              </span>
              {text}
            </Line>
          );
        })}
      </div>
    ))}
  </div>
);
