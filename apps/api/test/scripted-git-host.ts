// A git host that answers what a test tells it to, for everything a real one would only do on a bad day.
import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedGitHost {
  url: string;
  /** What was asked so far: the path below `/api/v1/`, and the headers. */
  requests: { path: string; headers: IncomingHttpHeaders }[];
  /** From now on: `script` answers instead of the repository, or returns false to leave the answer to it. */
  answerWith(script: Script): void;
  /** The files of every repository there is, by path. */
  serve(files: Record<string, string>): void;
  stop(): Promise<void>;
}

export type Script = (path: string, response: ServerResponse, request: IncomingMessage) => boolean;

export const answerJson = (response: ServerResponse, value: unknown, status = 200): true => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  return true;
};

const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest("hex");
const entryOf = (path: string, content: string) => ({
  name: path.split("/").at(-1),
  path,
  type: "file",
  size: Buffer.byteLength(content),
  sha: hash("sha1", `blob ${Buffer.byteLength(content)}\0${content}`),
});

const rootOf = (files: Record<string, string>) =>
  [...new Set(Object.keys(files).map((path) => path.split("/")[0] ?? ""))].map((name) =>
    files[name] === undefined ? { ...entryOf(name, ""), type: "dir" } : entryOf(name, files[name]),
  );

const honest = (files: Record<string, string>, path: string, response: ServerResponse): true => {
  if (path === "version") return answerJson(response, { version: "1.27.1" });
  if (/\/commits\?/.test(path)) return answerJson(response, [{ sha: hash("sha1", JSON.stringify(files)) }]);
  const name = decodeURIComponent(/\/contents\/([^?]+)/.exec(path)?.[1] ?? "");
  const content = files[name];
  if (content !== undefined) {
    const encoded = Buffer.from(content).toString("base64");
    return answerJson(response, { ...entryOf(name, content), encoding: "base64", content: encoded });
  }
  if (/\/contents\?/.test(path)) return answerJson(response, rootOf(files));
  const entries = Object.entries(files).filter(([one]) => one.startsWith(`${name}/`));
  if (entries.length === 0) return answerJson(response, { message: "not found" }, 404);
  return answerJson(
    response,
    entries.map(([one, text]) => entryOf(one, text)),
  );
};

export const startScriptedGitHost = async (): Promise<ScriptedGitHost> => {
  const requests: ScriptedGitHost["requests"] = [];
  let files: Record<string, string> = {};
  let script: Script = () => false;
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace("/api/v1/", "");
    requests.push({ path, headers: request.headers });
    if (!script(path, response, request)) honest(files, path, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerWith: (next) => {
      script = next;
    },
    serve: (next) => {
      files = next;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
