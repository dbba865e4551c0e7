// PostgreSQL as the development environment runs it: data kept between runs, one clear line for each way it cannot start.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Postgres, startPostgres } from "./embedded-postgres.ts";

let folder = "";
let postgres: Postgres;
const start = (port = 0) =>
  startPostgres({ dataDir: join(folder, "data"), port, database: "task_service", isTest: true });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postgres-"));
  postgres = await start();
});

afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true });
});

test("It accepts connections to the database it made, and the same data is there after a restart", async () => {
  const { port } = postgres;
  expect(postgres.url).toBe(`postgres://postgres@127.0.0.1:${port}/task_service`);
  expect(await query(port, "task_service", "create table kept as select 42 as answer")).toContain("SELECT 1");
  await postgres.stop();
  postgres = await start(port);
  expect(await query(port, "task_service", "select answer from kept")).toContain("42");
});

test("A taken port is one line that names it", async () => {
  const other = startPostgres({ dataDir: join(folder, "other"), port: postgres.port, isTest: true });
  await expect(other).rejects.toThrow(`Port ${postgres.port} is taken by another process.`);
});

test("Data in use is left alone", async () => {
  await expect(start()).rejects.toThrow(`is in use by process ${process.pid}`);
  expect(await query(postgres.port, "task_service", "select 'alive'")).toContain("alive");
});

test("It tells when it ends by itself", async () => {
  const dataDir = join(folder, "victim");
  const victim = await startPostgres({ dataDir, port: 0, isTest: true });
  const [pid] = (await readFile(join(dataDir, "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGINT");
  await victim.ended;
});

/** The raw answer to one simple query: enough of the protocol to need no client library. */
const query = (port: number, database: string, statement: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const startup = `user\0postgres\0database\0${database}\0\0`;
    socket.write(Buffer.concat([int32(startup.length + 8), int32(196_608), Buffer.from(startup)]));
    socket.write(Buffer.concat([Buffer.from("Q"), int32(statement.length + 5), Buffer.from(`${statement}\0`)]));
    socket.write(Buffer.concat([Buffer.from("X"), int32(4)]));
    let answer = "";
    socket.on("data", (bytes) => {
      answer += bytes.toString("latin1");
    });
    socket.on("error", reject).on("end", () => {
      socket.end();
      resolve(answer);
    });
  });

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
