// Finds the Chromium that the browser tests drive, or installs Debian's; the tests are never skipped for want of it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const find = (): string | undefined =>
  [process.env.CHROMIUM ?? "", ...places].find((path) => path !== "" && existsSync(path));

const aptGet = (...args: string[]): boolean =>
  spawnSync("apt-get", args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  }).status === 0;

/** The path of Chromium's program. Throws with what to do if there is none and none can be installed. */
export const ensureChromium = (): string => {
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    process.stdout.write("Installing Chromium for the browser tests …\n");
    aptGet("update", "-qq");
    aptGet("install", "-y", "-qq", "chromium");
  }
  const installed = find();
  if (installed) return installed;
  throw new Error(
    "The browser tests need Chromium: install it (Debian: apt-get install chromium) or name its program in CHROMIUM.",
  );
};
