// Whether a file is still what was read of it, told by its inode alone, so that unchanged files are not read again.
import { stat } from "node:fs/promises";

export interface FileStamp {
  /** Equal stamps mean equal bytes; undefined while the file is so young that a second change might leave the same one. */
  stamp: string | undefined;
  isExecutable: boolean;
  changedAt: Date;
}

/** File systems count time in ticks of up to 10 ms. */
const youngMs = 50;

/**
 * To be taken before the file is read. Follows links. Throws for anything but a regular file: a pipe or a device could
 * have no end, or keep its reader waiting for ever.
 */
export const stampOf = async (path: string, now = Date.now()): Promise<FileStamp> => {
  const stats = await stat(path, { bigint: true });
  if (!stats.isFile()) throw new Error("it is not a regular file");
  const { mode, size, ino, mtime, ctime, mtimeNs, ctimeNs } = stats;
  const isYoung = now - Math.max(mtime.getTime(), ctime.getTime()) < youngMs;
  return {
    stamp: isYoung ? undefined : `${mode} ${size} ${ino} ${mtimeNs} ${ctimeNs}`,
    isExecutable: (mode & 0o100n) !== 0n,
    changedAt: mtime,
  };
};
