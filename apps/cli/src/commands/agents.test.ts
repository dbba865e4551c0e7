// agents against a real API: what --agent-type takes, and how much each has to do.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet, createTask } from "../../../api/test/factories.ts";
import { startTestApp, type TestApp } from "../../../api/test/test-app.ts";
import { callCli } from "../../test/cli-call.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

const cli = (...args: string[]) => callCli(args, { TASK_SERVICE_URL: app.baseUrl, TASK_SERVICE_TOKEN: app.token });

test("lists agent types by organization and slug, with what they have to do; --json is the page of the API", async () => {
  const fleet = await createFleet(app, ["developer", "reviewer"]);
  const organization = fleet.organization.slug;
  await createTask(app, fleet);
  await createFleet(app, ["elsewhere"]);
  const { code, out } = await cli("agents", "-o", organization);
  expect([code, out]).toEqual([0, expect.stringMatching(/^AGENT TYPE +QUEUED +LIVE +NAME +DESCRIPTION\n/)]);
  expect(out).toMatch(new RegExp(`\\n${organization}/developer +1 +0 +\\S`));
  expect(out).toContain(`\n${organization}/reviewer `);
  expect(out).not.toContain("elsewhere");
  const page = await app.client.listAgentTypes({ query: { organization, is_active: true } });
  expect(JSON.parse((await cli("agents", "--organization", organization, "--json")).out)).toEqual(page);
  const first = await cli("agents", "-o", organization, "-n", "1");
  const [, cursor = ""] = /--cursor (\S+)/.exec(first.error) ?? [];
  expect((await cli("agents", "-o", organization, "-n", "1", "--cursor", cursor)).out).toContain("reviewer");
});

test("without any says so on standard error", async () => {
  expect(await cli("agents", "-q", "nothing like that")).toEqual({ code: 0, out: "", error: "No agent types.\n" });
});
