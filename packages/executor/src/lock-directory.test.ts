// Where locks lie: in the user's own directories, and in a shared one only where nobody else can have a hand in it.
import { chmod, chown, lstat, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SettingsError } from "./executor-settings.ts";
import { lockDirectory } from "./lock-directory.ts";

const place = async () => {
  const folder = await mkdtemp(join(tmpdir(), "executor-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const temporary = join(folder, "temporary");
  await mkdir(temporary);
  // Nothing can be made below a file, not even by root.
  const nowhere = join(folder, "file");
  await writeFile(nowhere, "");
  return { folder, temporary, nowhere, own: join(temporary, `task-service-${process.getuid?.()}`) };
};
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("the runtime directory comes first, then the state directory, then the home", async () => {
  const { folder, temporary } = await place();
  const runtime = join(folder, "runtime");
  const state = join(folder, "state");
  const environment = { XDG_RUNTIME_DIR: runtime, XDG_STATE_HOME: state };
  expect(lockDirectory({ environment, home: folder, temporary })).toBe(join(state, "task-service"));
  await mkdir(runtime);
  expect(lockDirectory({ environment, home: folder, temporary })).toBe(join(runtime, "task-service"));
  const inHome = lockDirectory({ environment: { XDG_STATE_HOME: "relative" }, home: folder, temporary });
  expect(inHome).toBe(join(folder, ".local/state/task-service"));
  for (const path of [join(runtime, "task-service"), join(state, "task-service"), inHome]) {
    expect(await modeOf(path)).toBe("700");
  }
});

test("a runtime directory that is a link is not taken", async () => {
  const { folder, temporary } = await place();
  await symlink(temporary, join(folder, "runtime"));
  const environment = { XDG_RUNTIME_DIR: join(folder, "runtime") };
  expect(lockDirectory({ environment, home: folder, temporary })).toBe(join(folder, ".local/state/task-service"));
});

test("where nothing else can be written a private directory is made among the temporary ones", async () => {
  const { temporary, nowhere, own } = await place();
  for (const _ of ["made", "found"]) {
    expect(lockDirectory({ environment: {}, home: nowhere, temporary })).toBe(own);
  }
  expect(await modeOf(own)).toBe("700");
});

test("a link, a file or an open directory in its place is refused, and left as it is", async () => {
  const { folder, temporary, nowhere, own } = await place();
  const lock = () => lockDirectory({ environment: {}, home: nowhere, temporary });
  const target = join(folder, "target");
  await mkdir(target);
  await chmod(target, 0o755);
  await symlink(target, own);
  expect(lock).toThrow(SettingsError);
  expect(lock).toThrow("not a directory that belongs to this user");
  expect(await modeOf(target)).toBe("755");
  await rm(own);
  await writeFile(own, "");
  expect(lock).toThrow(SettingsError);
  await rm(own);
  await mkdir(own);
  await chmod(own, 0o770);
  expect(lock).toThrow(SettingsError);
  expect((await lstat(own)).mode & 0o777).toBe(0o770);
});

test.runIf(process.getuid?.() === 0)("a directory of another user is refused", async () => {
  const { folder, temporary, nowhere, own } = await place();
  await mkdir(own, { mode: 0o700 });
  await chown(own, 12_345, 12_345);
  expect(() => lockDirectory({ environment: {}, home: nowhere, temporary })).toThrow(SettingsError);
  const environment = { XDG_RUNTIME_DIR: own };
  expect(lockDirectory({ environment, home: folder, temporary })).toBe(join(folder, ".local/state/task-service"));
});
