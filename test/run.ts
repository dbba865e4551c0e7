// `npm test`: every test there is, unit tests first, then the browser's; ends with `N passed, N failed` over all.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ensureChromium } from "./chromium.ts";

interface Outcome {
  passed: number;
  failed: number;
}

const closingLine = /^(\d+) passed, (\d+) failed$/;

/** Runs an npm script, shows its output, and reads its closing line; a script that ends without one has failed. */
const run = async (script: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> => {
  const child = spawn("npm", ["run", "--silent", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1", ...env },
  });
  let outcome: Outcome | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const counts = closingLine.exec(line);
    if (counts) outcome = { passed: Number(counts[1]), failed: Number(counts[2]) };
    else process.stdout.write(`${line}\n`);
  }
  if (child.exitCode === null) await once(child, "close");
  const { passed, failed } = outcome ?? { passed: 0, failed: 1 };
  return { passed, failed: failed === 0 && child.exitCode !== 0 ? 1 : failed };
};

const outcomes = [await run("test:unit"), await run("test:e2e", { CHROMIUM: ensureChromium() })];
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
