// Imports point one way (house rule 7): each room may use only what stands left of it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** Rooms of equal rank share a list: they may not use each other. */
const packages = [["contract"], ["personas"], ["api", "ui", "executor"], ["cli"], ["dev"], ["e2e"]];
const api = [
  ["platform"],
  ["auth", "git", "events"],
  ["idempotency"],
  ["organizations"],
  ["agents"],
  ["tasks"],
  ["dispatch", "mirror"],
  ["webhooks", "stats"],
  ["app.ts"],
  ["main.ts"],
];
const ui = [["lib"], ["data"], ["components"], ["features"], ["app"], ["main.tsx"]];

const folderOf: Record<string, string> = {
  contract: "packages/contract",
  personas: "packages/personas",
  executor: "packages/executor",
  api: "apps/api",
  ui: "apps/ui",
  cli: "apps/cli",
  dev: "dev",
  e2e: "e2e",
};

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|(?:^|\/)(?:node_modules|dist|test|testing)\//.test(path))
    .map((path) => join(folder, path));

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), "utf8").matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(
    ([, specifier = ""]) => specifier,
  );

const rankIn = (order: readonly string[][], room: string): number => order.findIndex((rooms) => rooms.includes(room));

const isAllowed = (order: readonly string[][], from: string, to: string): boolean =>
  from === to || rankIn(order, to) === -1 || rankIn(order, to) < rankIn(order, from);

const wrongTurns = (folder: string, order: readonly string[][]): string[] =>
  sourcesIn(folder).flatMap((file) => {
    const roomOf = (path: string) => relative(folder, path).split("/")[0] ?? "";
    return importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => join(dirname(file), specifier))
      .filter((target) => !isAllowed(order, roomOf(file), roomOf(target)))
      .map((target) => `${file} → ${target}`);
  });

describe("imports point one way", () => {
  test("between packages", () => {
    const wrong = Object.entries(folderOf).flatMap(([name, folder]) =>
      sourcesIn(folder).flatMap((file) =>
        importsOf(file)
          .map((specifier) => /^@task-service\/([\w-]+)/.exec(specifier)?.[1])
          .filter((to) => to !== undefined && !isAllowed(packages, name, to))
          .map((to) => `${file} → ${to}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("and never by path", () => {
    const wrong = Object.values(folderOf).flatMap((folder) =>
      sourcesIn(folder).flatMap((file) =>
        importsOf(file)
          .filter(
            (specifier) =>
              specifier.startsWith(".") && relative(folder, join(dirname(file), specifier)).startsWith(".."),
          )
          .map((specifier) => `${file} → ${specifier}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("inside the API", () => expect(wrongTurns("apps/api/src", api)).toEqual([]));
  test("inside the UI", () => expect(wrongTurns("apps/ui/src", ui)).toEqual([]));

  test("and features of the UI do not know each other", () => {
    const feature = (path: string) => /^apps\/ui\/src\/features\/([^/]+)/.exec(path)?.[1];
    const wrong = sourcesIn("apps/ui/src/features").flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => feature(join(dirname(file), specifier)))
        .filter((to) => to !== undefined && to !== feature(file))
        .map((to) => `${file} → ${to}`),
    );
    expect(wrong).toEqual([]);
  });
});
