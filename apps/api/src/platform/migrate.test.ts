// Migrations: applied once however many replicas begin at the same moment; readiness tells of them.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { isMigrated, migrate } from "./migrate.ts";

const name = `empty_${randomUUID().replaceAll("-", "")}`;
let server: Database;
let replicas: Database[];
beforeAll(async () => {
  server = openDatabase(inject("postgresUrl"));
  await server.background`create database ${server.background(name)}`;
  const url = Object.assign(new URL(inject("postgresUrl")), { pathname: `/${name}` }).href;
  replicas = Array.from({ length: 4 }, () => openDatabase(url));
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  await server.background`drop database ${server.background(name)} with (force)`;
  await server.close();
});

test("four replicas starting together apply each migration once", async () => {
  const applied = await Promise.all(replicas.map((replica) => migrate(replica.background)));
  expect(applied.flat()).toEqual([...new Set(applied.flat())]);
  expect(applied.flat().length).toBeGreaterThan(0);
  const [first] = replicas;
  if (!first) throw new Error("no replica");
  expect(await isMigrated(first.requests)).toBe(true);
  expect(await migrate(first.background)).toEqual([]);
});
