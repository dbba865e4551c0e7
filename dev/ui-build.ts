// Builds the UI when what is built is older than what it is built from.
import { once } from "node:events";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { root } from "./dev-settings.ts";
import { startUnit, type Unit } from "./unit-process.ts";

const ui = join(root, "apps", "ui");
const built = join(ui, "dist");
// Built aside and moved into place whole: starts at the same moment do not disturb each other, nor does an end midway.
const aside = join(ui, `dist-${process.pid}`);
const sources = [ui, join(root, "packages", "contract", "src"), join(root, "package-lock.json")];
const isSource = (name: string): boolean => !/^(?:dist(?:-\d+)?|node_modules)$/.test(name);

/** The build under way, or undefined when nothing is to be done. Its `ended` says how it went. */
export const startUiBuild = async (env: NodeJS.ProcessEnv): Promise<Required<Unit> | undefined> => {
  const index = await stat(join(built, "index.html")).catch(() => undefined);
  const newest = Math.max(...(await Promise.all(sources.map(newestIn))));
  if (index && index.mtimeMs > newest) return undefined;
  const vite = dirname(createRequire(join(ui, "package.json")).resolve("vite/package.json"));
  const args = [join(vite, "bin", "vite.js"), "build", "--logLevel", "warn", "--outDir", aside, "--emptyOutDir"];
  return startUnit({ name: "build", args, env, cwd: ui });
};

/** Rejects when the build fails, or when `stopping` aborts. */
export const untilBuilt = async (build: Required<Unit>, stopping: AbortSignal): Promise<void> => {
  const isStopped = once(stopping, "abort").then(() => "build stopped");
  const how = await Promise.race([build.ended, isStopped]);
  if (!how.endsWith("code 0")) {
    await rm(aside, { recursive: true, force: true });
    throw new Error(how);
  }
  await rm(built, { recursive: true, force: true });
  // If another start was quicker, its build is as good.
  await rename(aside, built).catch(() => rm(aside, { recursive: true, force: true }));
};

/** When anything below was changed last. Folders count: they change when a file goes. */
const newestIn = async (path: string): Promise<number> => {
  const { mtimeMs } = await stat(path);
  const items = await readdir(path, { withFileTypes: true }).catch(() => []);
  // The UI's own folder changes with every build of `dist`.
  const own = path === ui ? 0 : mtimeMs;
  const below = items.filter(({ name }) => isSource(name)).map(({ name }) => newestIn(join(path, name)));
  return Math.max(own, ...(await Promise.all(below)));
};
