// How many findings are kept, and how many an organization shows (D-10).
import type { SyncFinding } from "@task-service/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newSlug, personaFile } from "../../test/factories.ts";
import { type ScriptedGitHost, startScriptedGitHost } from "../../test/scripted-git-host.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { boundFindings } from "./sync-findings.ts";

const finding = (path: string, detail = "wrong"): SyncFinding => ({ path, line: 1, detail });
const many = (count: number, path: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => finding(path(index), `${index}`));

describe("boundFindings", () => {
  test("leaves what is usual as it is, in its order", () => {
    const usual = [finding("b"), finding("a"), finding("c")];
    expect(boundFindings(usual, "personas")).toEqual(usual);
  });

  test("keeps 10 of a file, 5,000 in all, and says how many more there were", () => {
    const ofOne = boundFindings([...many(25, () => "a"), finding("b")], "personas");
    expect(ofOne).toHaveLength(11);
    expect(ofOne[9]).toEqual({ path: "a", line: null, detail: "16 more like these." });
    const ofAll = boundFindings(
      many(100_000, (index) => `${index}`),
      "personas",
    );
    expect(ofAll).toHaveLength(5000);
    expect(ofAll.at(-1)).toEqual({ path: "personas", line: null, detail: "95001 more like these." });
  });

  test("cuts long words", () => {
    const [one] = boundFindings([finding("a", "😀".repeat(600))], "personas");
    expect(one?.detail).toBe(`${"😀".repeat(499)}…`);
  });

  test("changes nothing the second time", () => {
    const findings = fc.array(
      fc.record({ path: fc.constantFrom("a", "b", "c"), line: fc.constant(1), detail: fc.string() }),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(findings, (all) => {
        const bounded = boundFindings(all, "personas");
        expect(boundFindings(bounded, "personas")).toEqual(bounded);
      }),
    );
  });
});

describe("an organization with many findings", () => {
  let gitHost: ScriptedGitHost;
  let app: TestApp;
  beforeAll(async () => {
    gitHost = await startScriptedGitHost();
    app = await startTestApp({ env: { GIT_URL: gitHost.url } });
  });
  afterAll(async () => {
    await app.close();
    await gitHost.stop();
  });

  test("shows 100 of each kind, and forgets none that a file still has", async () => {
    const slug = newSlug();
    const path = (index: number) => `personas/p${index}.md`;
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [path(index), personaFile("p", "# Role\n")]),
    );
    const broken = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`personas/b${index}.md`, "broken"]));
    gitHost.serve({ ...files, ...broken });
    await app.client.createOrganization({ body: { slug } });
    const sync = () => app.client.syncOrganization({ params: { organization: slug } });
    const { errors, warnings } = await sync();
    expect([errors.length, warnings.length]).toEqual([100, 100]);
    expect(errors.at(-1)).toEqual({ path: "personas", line: null, detail: "21 more are not shown." });
    expect(warnings.at(-1)).toEqual({ path: "personas", line: null, detail: "141 more are not shown." });
    gitHost.serve({ ...files, [path(0)]: personaFile("p") });
    const mended = await sync();
    expect([mended.status, mended.errors]).toEqual(["ok", []]);
    expect(mended.warnings.at(-1)?.detail).toBe("137 more are not shown.");
  });
});
