// As whom PostgreSQL runs: it refuses to be root, so root lends it another identity (D-37).
import { type SpawnOptions, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";

export interface PostgresAccount {
  /** Who must own the data directory; undefined when it is simply the current user. */
  readonly owner: { uid: number; gid: number } | undefined;
  /** What to spawn so that `command` runs as this account. */
  wrap(command: string[]): { file: string; args: string[]; options: SpawnOptions };
}

const asIs: PostgresAccount["wrap"] = ([file = "", ...args]) => ({ file, args, options: { cwd: "/" } });

/**
 * The current user; for root it is `nobody`. Where `nobody` may not enter one of the folders it is lent root's access
 * to files: the capability, kept over `exec`, and kept by access(2) too, which PostgreSQL finds its programs with.
 */
export const postgresAccount = async (...paths: string[]): Promise<PostgresAccount> => {
  if (process.getuid?.() !== 0) return { owner: undefined, wrap: asIs };
  const owner = await nobody();
  const barred = await firstBarredFolder(paths);
  if (!barred) return { owner, wrap: (command) => ({ ...asIs(command), options: { cwd: "/", ...owner } }) };
  const identity = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"];
  const access = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override", "--securebits=+no_setuid_fixup"];
  const lend = [...identity, ...access];
  if (spawnSync("setpriv", [...lend, "true"]).status !== 0)
    throw new Error(
      `PostgreSQL may not run as root, and other users may not enter ${barred}: allow it (chmod o+x ${barred}), or start as another user.`,
    );
  return { owner, wrap: (command) => asIs(["setpriv", ...lend, ...command]) };
};

/** Gives a folder with all it holds to the account, unless it has it already. */
export const giveTo = async ({ owner }: PostgresAccount, folder: string): Promise<void> => {
  if (!owner || (await stat(folder)).uid === owner.uid) return;
  const { status, stderr } = spawnSync("chown", ["-R", `${owner.uid}:${owner.gid}`, folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(`PostgreSQL cannot be given its folder: ${stderr.trim()}`);
};

const nobody = async (): Promise<{ uid: number; gid: number }> => {
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((entry) => entry.startsWith("nobody:"));
  if (!line) throw new Error("PostgreSQL may not run as root, and there is no user `nobody` to run it as.");
  const [, , uid, gid] = line.split(":");
  return { uid: Number(uid), gid: Number(gid) };
};

const firstBarredFolder = async (paths: string[]): Promise<string | undefined> => {
  for (const path of paths)
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      if (existsSync(folder) && ((await stat(folder)).mode & 0o001) === 0) return folder;
      if (folder === dirname(folder)) break;
    }
  return undefined;
};
