// The tests outside the browser: the server side on a real PostgreSQL, the UI's components in happy-dom.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    maxWorkers: 3,
    reporters: ["default", "./test/closing-line-reporter.ts"],
    projects: [
      {
        test: {
          name: "server",
          include: [
            "{packages,dev,test}/**/*.test.ts",
            "apps/{api,cli}/**/*.test.ts",
            "apps/ui/*.test.ts",
            "e2e/conformance/**/*.test.ts",
          ],
          globalSetup: "./test/global-setup.ts",
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: "./apps/ui/vite.config.ts",
        test: { name: "ui", include: ["src/**/*.test.{ts,tsx}"], root: "./apps/ui" },
      },
    ],
  },
});
