// Faults on purpose happen where and as often as the setting says, and not at all without one.
import { expect, test, vi } from "vitest";
import { createFailpoints } from "./failpoints.ts";

test("without a setting nothing happens at any of them", async () => {
  for (const setting of [undefined, ""]) {
    const hit = createFailpoints(setting);
    expect(hit("claim-committed")).toBe(hit("create-committed"));
    await hit("claim-committed");
  }
});

test("fail leaves the outcome of the statement unknown", async () => {
  const hit = createFailpoints("claim-committed=fail");
  await expect(hit("claim-committed")).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  await hit("claim-begun");
});

test("crash ends the process and nothing runs on", async () => {
  const end = vi.fn();
  let ranOn = false;
  const hit = createFailpoints("end-committed=crash", { end });
  void hit("end-committed").then(() => {
    ranOn = true;
  });
  await vi.waitFor(() => expect(end).toHaveBeenCalledOnce(), { timeout: 5000 });
  expect(ranOn).toBe(false);
});

test("delay resolves after so many milliseconds", async () => {
  const begun = performance.now();
  await createFailpoints("sweep-committed=delay:20")("sweep-committed");
  expect(performance.now() - begun).toBeGreaterThanOrEqual(18);
});

test("#n acts at the n-th hit only, counted for each of them", async () => {
  const hit = createFailpoints("create-committed=fail#2");
  await hit("create-committed");
  await hit("end-committed");
  await expect(hit("create-committed")).rejects.toThrow();
  await hit("create-committed");
});

test("@p acts with that probability, and the first rule that is due wins", async () => {
  const drawn = [0.5, 0.01, 0.3, 0.04];
  const end = vi.fn();
  const hit = createFailpoints("claim-committed=crash@0.02,claim-committed=fail@0.05", {
    random: () => drawn.shift() ?? 0.99,
    end,
  });
  await hit("claim-committed").then(
    () => expect.unreachable("0.5 is not due for the first, 0.01 is for the second"),
    (error) => expect(error.code).toBe("CONNECTION_CLOSED"),
  );
  await expect(hit("claim-committed")).rejects.toThrow();
  await hit("claim-committed");
  expect(end).not.toHaveBeenCalled();
});

test.each(["nothing=crash", "claim-committed", "claim-committed=explode", "claim-committed=fail@2.5", "a=fail,,"])(
  "a setting that cannot be read is refused: %s",
  (setting) => expect(() => createFailpoints(setting)).toThrow("FAILPOINTS"),
);
