// How the UI is built does not depend on who builds it.
import { join } from "node:path";
import { resolveConfig } from "vite";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());

test("A build started by a test is one for production", async () => {
  vi.stubEnv("NODE_ENV", "test");
  const configFile = join(import.meta.dirname, "vite.config.ts");
  const config = await resolveConfig({ configFile, logLevel: "silent" }, "build");
  expect(config.isProduction).toBe(true);
});
