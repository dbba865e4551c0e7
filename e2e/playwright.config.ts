// The browser tests: Chromium against everything `npm start` starts, on ports and folders of its own.
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const devPort = Number(process.env.E2E_PORT ?? 18_600);

// Read again by every worker, which inherits what the first reading put into the environment.
if (!process.env.E2E_DIR) {
  process.env.E2E_DIR = mkdtempSync(join(tmpdir(), "task-service-e2e-"));
  cpSync(join(import.meta.dirname, "../examples/repos"), join(process.env.E2E_DIR, "repos"), { recursive: true });
}
const folder = process.env.E2E_DIR;

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: [["list"], ["./closing-line-reporter.ts"]],
  use: {
    baseURL: `http://localhost:${devPort}`,
    // Recording every step of every flow makes the run half a minute longer: E2E_TRACE=1 does it, for a flow that fails.
    trace: process.env.E2E_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    },
  },
  webServer: {
    command: "exec node ../dev/dev.ts",
    url: `http://localhost:${devPort + 1}/readyz`,
    env: {
      DEV_PORT: String(devPort),
      DATA_DIR: join(folder, "data"),
      REPOS_DIR: join(folder, "repos"),
      ECHO_SECONDS: "0",
    },
    timeout: 60_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
    stdout: "ignore",
    stderr: "ignore",
  },
});
