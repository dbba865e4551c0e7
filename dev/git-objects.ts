// The ids git gives to contents, computed as git does.
import { createHash } from "node:crypto";

export type GitMode = "100644" | "100755" | "120000" | "40000";

export interface GitTreeItem {
  name: string;
  mode: GitMode;
  sha: string;
}

const objectId = (type: "blob" | "tree" | "commit", body: Buffer): string =>
  createHash("sha1").update(`${type} ${body.length}\0`).update(body).digest("hex");

export const blobId = (bytes: Buffer): string => objectId("blob", bytes);

/** Of items in tree order. */
export const treeId = (items: GitTreeItem[]): string =>
  objectId(
    "tree",
    Buffer.concat(items.flatMap(({ name, mode, sha }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, "hex")])),
  );

export const commitId = ({
  tree,
  author,
  at,
  message,
}: {
  tree: string;
  author: string;
  at: Date;
  message: string;
}) => {
  const signature = `${author} ${at.getTime() / 1000} +0000`;
  return objectId("commit", Buffer.from(`tree ${tree}\nauthor ${signature}\ncommitter ${signature}\n\n${message}\n`));
};

/** Git's order within a tree: by bytes, directories as if their names ended in a slash. */
export const inTreeOrder = (one: GitTreeItem, other: GitTreeItem): number =>
  Buffer.compare(sortKey(one), sortKey(other));

const sortKey = ({ name, mode }: GitTreeItem): Buffer => Buffer.from(mode === "40000" ? `${name}/` : name);
