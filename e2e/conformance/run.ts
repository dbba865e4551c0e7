// `npm run conformance`: the full run, with --short the one that is part of `npm test`, with --calm without trouble; exits 1 unless all is well.
import { parseArgs } from "node:util";
import { fullRun, type RunOptions, runConformance, shortRun } from "./conformance-run.ts";
import { findingsOf, summaryLine } from "./run-summary.ts";

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    calm: { type: "boolean", default: false },
    seed: { type: "string" },
    tasks: { type: "string" },
  },
});

const chosen = values.short ? shortRun : fullRun;
const options: RunOptions = {
  ...chosen,
  trouble: values.calm ? undefined : chosen.trouble,
  seed: Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
  tasks: Number(values.tasks ?? chosen.tasks),
};
const result = await runConformance(options);
const findings = findingsOf(result);
for (const finding of findings.slice(0, 50)) process.stdout.write(`${finding}\n`);
process.stdout.write(`${summaryLine(result)}\n`);
if (findings.length > 0)
  process.stdout.write(`${findings.length} findings; what the replicas said is in ${result.logDir}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
