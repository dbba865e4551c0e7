// The library's example in docs/executors.md, run as it stands there but for the model, which is the reader's.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "./executor-fixture.ts";
import { createFakeIdentityProvider } from "./fake-identity-provider.ts";
import { createFakeService } from "./fake-service.ts";

const page = join(import.meta.dirname, "../../../docs/executors.md");
const library = new URL("../src/index.ts", import.meta.url).href;
const model = `const model = {
  answer: async ({ system, user }: { system: string; user: string; signal: AbortSignal }) => ({
    text: user.toUpperCase(), usage: { input: system.length, output: user.length } }) };`;

const exampleOf = (text: string): string => {
  const example = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  const [found = expect.fail("no example")] = example.filter((code) => code.includes("createExecutor("));
  return `${found.replace('"@task-service/executor"', JSON.stringify(library))}\n${model}\n`;
};

test("the example takes a task, reports what its model said, and ends on SIGTERM", async () => {
  const folder = await mkdtemp(join(tmpdir(), "executor-test-"));
  const [service, provider] = await Promise.all([createFakeService(), createFakeIdentityProvider()]);
  onTestFinished(async () => {
    await Promise.all([service.close(), provider.close(), rm(folder, { recursive: true })]);
  });
  const file = join(folder, "example.mts");
  await writeFile(file, exampleOf(await readFile(page, "utf8")));
  service.offer({ prompt: "Fix it." });
  const { issuer, clientId, clientSecret } = provider.settings;
  const child = spawn(process.execPath, [file], {
    env: {
      TASK_SERVICE_URL: service.url,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await eventually(() => expect(service.finished()).toHaveLength(1));
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  const [{ task } = expect.fail()] = [...service.dispatches.values()];
  expect(task).toMatchObject({ result: "FIX IT.", output_tokens: 7 });
});
