// Who waits in vain: as the filters of the executors and what they do say.
import { expect, test } from "vitest";
import { makeExecutor } from "../../testing/resource-factory.ts";
import { unservedTypes } from "./attention.ts";

const wait_ms = { p50: null, p90: null, p95: null, p99: null };
const type = (slug: string, queued: number, organization_slug = "acme") => ({
  agent_type_id: slug,
  organization_slug,
  slug,
  queued,
  live: 0,
  wait_ms,
});
const shown = (...input: Parameters<typeof unservedTypes>) =>
  unservedTypes(...input).map(({ slug, silentCount }) => [slug, silentCount]);

test("the longest queue first; silent executors are counted, those that wait or work suffice", () => {
  const silent = makeExecutor({ is_waiting: false, agent_types: [{ id: "developer", slug: "developer" }] });
  const elsewhere = makeExecutor({ organization: { id: "2", slug: "globex" } });
  const types = [type("tester", 3), type("developer", 5), type("planner", 0), type("seller", 9, "globex")];
  expect(shown(types, [silent, elsewhere])).toEqual([
    ["developer", 1],
    ["tester", 0],
  ]);
  expect(shown(types, [makeExecutor()])).toEqual([]);
  expect(shown(types, [makeExecutor({ is_waiting: false, live_dispatches: 1 })])).toEqual([]);
});
