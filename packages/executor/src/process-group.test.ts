// Process groups that do not want to end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endProcessGroup } from "./process-group.ts";

test("what ignores SIGTERM is killed after the grace", async () => {
  const script = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); console.log('ready')";
  const child = spawn(process.execPath, ["-e", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const exit = once(child, "exit");
  await once(child.stdout, "data");
  await endProcessGroup(child.pid ?? expect.fail(), 50);
  expect(await exit).toEqual([null, "SIGKILL"]);
});

test("a group that is gone needs nothing", async () => {
  const child = spawn("true", { detached: true });
  await once(child, "exit");
  await endProcessGroup(child.pid ?? expect.fail(), 60_000);
});
