// A development git host over a folder of its own, and a receiver of its webhooks.
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, vi } from "vitest";
import { type GitHost, type GitHostOptions, startGitHost } from "../git-host.ts";

export interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
  /** What `body` holds. */
  payload: Record<string, unknown>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

export interface GitHostFixture {
  host: GitHost;
  reposDir: string;
  webhook: { url: string; secret: string };
  /** What the host complained about. */
  complaints: string[];
  /** Puts a file below the folder of repositories in one stroke, as editors save; undefined removes it. */
  write(path: string, content: string | undefined): Promise<void>;
  /** Reads below `/api/v1`, with the read token unless another header is given. */
  get(path: string, authorization?: string): Promise<Answer>;
  /** Sends to a switch below `/-/`. */
  turn(method: string, path: string, body?: unknown): Promise<Answer>;
  deliveries: Delivery[];
  /** The first `count` deliveries, once there are as many and no more. */
  delivered(count: number): Promise<Delivery[]>;
  stop(): Promise<void>;
}

export const startFixture = async (
  options: Partial<GitHostOptions> & { isHooked?: boolean; files?: Record<string, string> } = {},
): Promise<GitHostFixture> => {
  const { isHooked, files = {}, ...hostOptions } = options;
  const reposDir = await mkdtemp(join(tmpdir(), "repos-"));
  const deliveries: Delivery[] = [];
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    deliveries.push({ headers: request.headers, body, payload: JSON.parse(body) });
    response.writeHead(202).end();
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const webhook = {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks/git`,
    secret: "test-signing-secret",
  };
  let saved = 0;
  const write = async (path: string, content: string | undefined): Promise<void> => {
    const file = join(reposDir, path);
    if (content === undefined) return rm(file, { recursive: true });
    await mkdir(dirname(file), { recursive: true });
    const made = join(reposDir, `.saved-${saved++}`);
    await writeFile(made, content);
    await rename(made, file);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  const complaints: string[] = [];
  const host = await startGitHost({
    host: "127.0.0.1",
    port: 0,
    reposDir,
    readToken: "read",
    complain: (message) => complaints.push(message),
    ...(isHooked && { webhook }),
    ...hostOptions,
  });
  const answerOf = async (response: Response): Promise<Answer> => {
    const body = await response.text();
    return { status: response.status, headers: response.headers, body: body && JSON.parse(body) };
  };
  return {
    host,
    reposDir,
    webhook,
    complaints,
    write,
    get: async (path, authorization = "token read") =>
      answerOf(await fetch(`${host.url}/api/v1${path}`, { headers: { authorization }, redirect: "manual" })),
    turn: async (method, path, body) =>
      answerOf(
        await fetch(`${host.url}/-/${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) }),
      ),
    deliveries,
    delivered: async (count) => {
      await vi.waitFor(() => expect(deliveries.length).toBeGreaterThanOrEqual(count), { timeout: 5000 });
      expect(deliveries).toHaveLength(count);
      return deliveries;
    },
    stop: async () => {
      await host.stop();
      receiver.closeAllConnections();
      receiver.close();
      await rm(reposDir, { recursive: true });
    },
  };
};

/** Makes the file look as if it had last been changed then. */
export const age = (fixture: GitHostFixture, path: string, time: string): Promise<void> =>
  utimes(join(fixture.reposDir, path), new Date(time), new Date(time));
