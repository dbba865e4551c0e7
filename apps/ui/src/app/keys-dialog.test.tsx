// The dialog on `?` forgets no key that any screen listens to.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient } from "../testing/fake-client.ts";
import { renderScreens } from "../testing/render-screens.tsx";
import { keyList } from "./key-list.ts";

const sources = join(import.meta.dirname, "..");
const listed = new Set(keyList.flatMap(({ keys }) => keys.map(([combination]) => combination)));
/** Another name of a key that is listed. */
const synonyms = new Set(["ArrowDown", "ArrowUp", "Home", "End", "PageDown", "PageUp"]);

/** The keys in what is given to `useKeyBindings`: up to the line that ends it. */
const boundKeys = (text: string): string[] =>
  [...text.matchAll(/useKeyBindings\(([\s\S]*?)\);\n/g)].flatMap(([, body = ""]) =>
    [...body.matchAll(/(?:^|[\n,{])\s*(?:"([^"]+)"|(\w+)):\s*(?:\(|async|on[A-Z]|requeue)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? "",
    ),
  );

test("every key that is bound somewhere is listed", () => {
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  );
  const bound = files.flatMap((name) => boundKeys(readFileSync(join(sources, name), "utf8")));
  expect(bound).toEqual(expect.arrayContaining(["c", "j", "x", "p", "r", "u", "z"]));
  expect(bound.filter((key) => !listed.has(key) && !synonyms.has(key))).toEqual([]);
});

test("it opens on ?, closes on Escape and gives the focus back", async () => {
  const { user } = renderScreens(createFakeClient());
  await screen.findByRole("heading", { level: 1, name: "Queue" });
  const link = screen.getByRole("link", { name: "Organizations" });
  link.focus();
  await user.keyboard("?");
  const dialog = await screen.findByRole("dialog", { name: "Keys" });
  expect(within(dialog).getByText("New task")).toBeDefined();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog", { name: "Keys" })).toBeNull();
  await vi.waitFor(() => expect(document.activeElement).toBe(link), { timeout: 5000 });
});
