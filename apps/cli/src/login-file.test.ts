// What `login` keeps is changed by one process at a time, and is for its owner alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/cli-process.ts";
import { changeLogins, type Login, readLogins, withLogin } from "./login-file.ts";

const login: Login = {
  issuer: "https://id.example",
  client_id: "cli",
  scope: "openid",
  access_token: "a",
  expires_at: "2026-01-01T00:00:00.000Z",
};
const url = "https://tasks.example/api";

const place = async () => {
  const folder = join(await temporaryFolder(), "task-service");
  const file = join(folder, "logins.json");
  return { folder, file, lock: `${file}.lock` };
};

/** Begins a change that goes on until `end`. */
const beginChange = async (file: string) => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const ended = changeLogins(file, async (kept) => {
    begun.resolve();
    await end.promise;
    return withLogin(kept, url, login);
  });
  await begun.promise;
  return { end: end.resolve, ended };
};

test("changes wait for each other, however long one takes, and leave nothing but the file", async () => {
  const { folder, file, lock } = await place();
  const first = await beginChange(file);
  // As old as a refresh may become: two requests of 15 s.
  const begun = new Date(Date.now() - 30_000);
  await utimes(lock, begun, begun);
  const seen: (string | null)[] = [];
  const second = changeLogins(file, async (kept) => {
    seen.push(kept.current);
    return kept;
  });
  // Time enough for a look at the lock.
  for (let turn = 0; turn < 50; turn += 1) await changeLogins(`${file}.other`, async (kept) => kept);
  expect(seen).toEqual([]);
  first.end();
  await Promise.all([first.ended, second]);
  expect(seen).toEqual([url]);
  expect(await readdir(folder)).toEqual(["logins.json"]);
});

test("the lock of a process that is gone, and one older than any change, are taken over", async () => {
  const { folder, file, lock } = await place();
  await mkdir(folder);
  const gone = spawn("true");
  await once(gone, "exit");
  await writeFile(lock, `${gone.pid} 1 ${hostname()} x\n`);
  await changeLogins(file, async (kept) => withLogin(kept, url, login));
  for (const content of [`${process.pid} 1 elsewhere x\n`, "1 1 elsewhere x\n"]) {
    await writeFile(lock, content);
    const old = new Date(Date.now() - 120_000);
    await utimes(lock, old, old);
    await changeLogins(file, async (kept) => kept);
  }
  expect(await readdir(folder)).toEqual(["logins.json"]);
});

test("a lock that another process has taken over meanwhile stays", async () => {
  const { file, lock } = await place();
  const first = await beginChange(file);
  await writeFile(lock, "1 1 elsewhere x\n");
  first.end();
  await first.ended;
  expect(await readFile(lock, "utf8")).toBe("1 1 elsewhere x\n");
});

test("a file that others may read is refused, with the command that mends it", async () => {
  const { file } = await place();
  await changeLogins(file, async (kept) => withLogin(kept, url, login));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await chmod(file, 0o640);
  await expect(readLogins(file)).rejects.toThrow(`chmod 600 '${file}'`);
  await expect(changeLogins(file, async (kept) => kept)).rejects.toThrow(`${file} can be read by others`);
  await chmod(file, 0o600);
  expect((await readLogins(file)).current).toBe(url);
});
