// The lock of an executor's name: held by one process, and never by one that is gone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockName } from "./name-lock.ts";
import { NameTakenError } from "./name-taken-error.ts";

const place = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "executor-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
};
const url = "http://tasks.example/api";

test("a name is taken once for each service, and free again when it was given back", async () => {
  const directory = await place();
  const unlock = lockName("box-1", url, directory);
  expect(() => lockName("box-1", url, directory)).toThrow(NameTakenError);
  expect(() => lockName("box-1", url, directory)).toThrow(`process ${process.pid} is the executor box-1 already`);
  lockName("box-2", url, directory)();
  lockName("box-1", "http://other.example/api", directory)();
  unlock();
  lockName("box-1", url, directory)();
  expect(await readdir(directory)).toEqual([]);
});

test.each([
  ["http://localhost:8080/api", "http://127.0.0.1:8080/api", "http://[::1]:8080/api/"],
  ["https://tasks.example/api", "https://TASKS.example:443/api"],
])("one service is one, however its address is written: %s", async (first, ...others) => {
  const directory = await place();
  lockName("box-1", first, directory);
  for (const other of others) expect(() => lockName("box-1", other, directory)).toThrow(NameTakenError);
});

test("only this user may look at the lock", async () => {
  const directory = await place();
  lockName("box-1", url, directory);
  const [file = ""] = await readdir(directory);
  expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
});

test("the lock of a process that is gone, or whose id is another's now, is taken over", async () => {
  const directory = await place();
  lockName("box-1", url, directory);
  const [file = ""] = await readdir(directory);
  const gone = spawn("true");
  await once(gone, "exit");
  for (const content of [`${gone.pid} 1\n`, `${process.pid} 1\n`, "", "nonsense"]) {
    await writeFile(join(directory, file), content);
    lockName("box-1", url, directory);
    expect(() => lockName("box-1", url, directory)).toThrow(NameTakenError);
  }
  expect(await readdir(directory)).toEqual([file]);
});

test("what another process took meanwhile is not given back", async () => {
  const directory = await place();
  const unlock = lockName("box-1", url, directory);
  const [file = ""] = await readdir(directory);
  await writeFile(join(directory, file), "1 1\n");
  unlock();
  expect(await readdir(directory)).toEqual([file]);
});
