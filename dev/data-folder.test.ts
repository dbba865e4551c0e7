// A data folder is emptied only of what `npm start` made, and only when it made it.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareDataFolder } from "./data-folder.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "data-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("A reset removes what was made and nothing else", async () => {
  const { postgres, identityProvider } = await prepareDataFolder(folder, false);
  await Promise.all([postgres, identityProvider].map((path) => mkdir(path)));
  await writeFile(join(folder, "mine.txt"), "kept");
  await prepareDataFolder(folder, false);
  expect(existsSync(postgres)).toBe(true);
  await prepareDataFolder(folder, true);
  expect((await readdir(folder)).sort()).toEqual(["mine.txt", "task-service-data"]);
});

test("A folder with a database of somebody else is left alone", async () => {
  await mkdir(join(folder, "postgres"));
  await expect(prepareDataFolder(folder, true)).rejects.toThrow("is not a data folder of the task service");
  expect(existsSync(join(folder, "postgres"))).toBe(true);
});

test("A reset does not pull data from under a running server", async () => {
  const { postgres } = await prepareDataFolder(folder, false);
  await mkdir(postgres);
  for (const name of ["postmaster.pid", "owner.pid"]) await writeFile(join(postgres, name), `${process.pid}\n`);
  await expect(prepareDataFolder(folder, true)).rejects.toThrow(`in use by process ${process.pid}`);
  expect(existsSync(postgres)).toBe(true);
});
