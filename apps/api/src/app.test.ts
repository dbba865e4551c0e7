// What every operation of the contract owes to whoever calls it, new ones included: the gate and a problem document.
import { type Operation, type OperationName, operations } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchToken, startTestApp, type TestApp } from "../test/test-app.ts";
import { bodyExamples } from "./platform/openapi-body-examples.ts";

const nobodysId = "00000000-0000-7000-8000-000000000000";

let app: TestApp;
let outsider: string;
beforeAll(async () => {
  app = await startTestApp();
  outsider = await fetchToken("outsider");
});
afterAll(() => app.close());

const gated = Object.entries(operations as Record<string, Operation>).filter(([, { isPublic }]) => !isPublic);
const pathOf = ({ path }: Operation): string => path.replaceAll(/:\w+/g, nobodysId);
const call = (operation: Operation, token?: string) =>
  app.problem(pathOf(operation), {
    method: operation.method,
    headers: { ...(token && { authorization: `Bearer ${token}` }) },
  });

describe.each(gated)("%s", (_, operation) => {
  test("is 401 without a token, and says which kind of token it wants", async () => {
    expect(await call(operation)).toMatchObject({ code: "unauthenticated", status: 401 });
    const { headers } = await app.request(pathOf(operation), { method: operation.method, headers: {} });
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });

  test("is 403 for somebody outside the group, before anything is looked up", async () => {
    expect(await call(operation, outsider)).toMatchObject({ code: "not_a_member", status: 403 });
  });
});

describe("what is named in the path and is not there", () => {
  const named = gated.filter(([, { path, problems }]) => path.includes("/:") && problems?.includes("not_found"));
  test("concerns most operations", () => expect(named.length).toBeGreaterThan(10));

  test.each(named)("%s is 404", async (name, operation) => {
    const [example = {}] = Object.values(bodyExamples[name as OperationName] ?? {});
    const body = operation.body && !operation.isBodyOptional ? { body: JSON.stringify(example) } : {};
    expect(await app.problem(pathOf(operation), { method: operation.method, ...body })).toMatchObject({
      code: "not_found",
    });
  });
});
