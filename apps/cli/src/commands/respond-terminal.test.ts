// respond at a real terminal that is closed while somebody types: what was typed outlives it.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { createFleet, createTask } from "../../../api/test/factories.ts";
import { startTestApp, type TestApp } from "../../../api/test/test-app.ts";
import { cleanEnvironment, mainFile, temporaryFolder } from "../../test/cli-process.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

/** Types as soon as keys are read one by one, closes the terminal when they were shown, and ends with the command's exit code. */
const closingTerminal = `
import os, pty, sys, termios, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
while b"/release REASON" not in shown:
    shown += os.read(terminal, 4096)
while termios.tcgetattr(terminal)[3] & termios.ECHO:
    time.sleep(0.05)
os.write(terminal, b"half a sentence\\rand half of")
while b"and half of" not in shown:
    shown += os.read(terminal, 4096)
os.close(terminal)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

test("what was typed is shown, and kept when the terminal is closed; nothing else is left behind", async (context) => {
  context.skip(spawnSync("python3", ["--version"]).error !== undefined, "python3 is not on this machine");
  const { expect } = context;
  const fleet = await createFleet(app);
  const { id } = await createTask(app, fleet);
  const folder = await temporaryFolder();
  const environment = { TASK_SERVICE_URL: app.baseUrl, TASK_SERVICE_TOKEN: app.token, TMPDIR: folder };
  const command = [process.execPath, mainFile, "respond", "-o", fleet.organization.slug];
  const child = spawn("python3", ["-c", closingTerminal, ...command], {
    env: cleanEnvironment(environment),
    stdio: "inherit",
  });
  context.onTestFinished(() => void child.kill("SIGKILL"));
  expect(await once(child, "exit")).toEqual([0, null]);
  const [file = "", ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect(await readFile(join(folder, file), "utf8")).toBe("half a sentence\nand half of");
  expect((await app.client.getTask({ params: { id } })).state).toBe("queued");
});
