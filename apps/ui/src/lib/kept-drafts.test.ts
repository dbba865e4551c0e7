// Drafts of several tabs: each has its own, a closed tab's is found again, a reload keeps the one it had.
import { beforeEach, expect, test } from "vitest";
import { type DraftPlaces, openDraft } from "./kept-drafts.ts";

/** Locks of one browser, as far as drafts use them. */
const createLocks = (): NonNullable<DraftPlaces["locks"]> => {
  const held = new Set<string>();
  const request = async (name: string, _options: LockOptions, run: (lock: Lock | null) => Promise<void>) => {
    if (held.has(name)) return run(null);
    held.add(name);
    await run({ name, mode: "exclusive" });
    held.delete(name);
  };
  return { request } as unknown as LockManager;
};

let locks: DraftPlaces["locks"];
let clock: number;

const openTab = () => {
  const kept = new Map<string, string>();
  const tab = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as Storage;
  return { storage: localStorage, tab, locks, now: () => clock };
};

const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  localStorage.clear();
  locks = createLocks();
  clock = Date.parse("2026-11-21T09:30:00.000Z");
});

test("two tabs do not overwrite each other", async () => {
  const [one, two] = [await openDraft("task/alice", openTab()), await openDraft("task/alice", openTab())];
  one.keep("first");
  two.keep("second");
  one.release();
  two.release();
  await settled();
  const [a, b] = [await openDraft("task/alice", openTab()), await openDraft("task/alice", openTab())];
  expect([a.kept, b.kept].toSorted()).toEqual(["first", "second"]);
});

test("what a closed tab left is found, the newest first, and not by others", async () => {
  for (const text of ["old", "new"]) {
    const draft = await openDraft(`task/${text}`, openTab());
    draft.keep(text);
    draft.release();
    clock += 1_000;
  }
  await settled();
  expect((await openDraft("task/bob", openTab())).kept).toBeNull();
  expect((await openDraft("task/new", openTab())).kept).toBe("new");
});

test("a reload has the tab's own draft, also where a newer one lies about", async () => {
  const tab = openTab();
  const mine = await openDraft("task/alice", tab);
  mine.keep("mine");
  clock += 1_000;
  const other = await openDraft("task/alice", openTab());
  other.keep("newer");
  mine.release();
  other.release();
  await settled();
  expect((await openDraft("task/alice", tab)).kept).toBe("mine");
});

test("what is forgotten late leaves alone what was written in its place since", async () => {
  const tab = openTab();
  const left = await openDraft("note/alice", tab);
  left.keep("sent");
  left.release();
  await settled();
  const again = await openDraft("note/alice", tab);
  again.keep("sent, and more");
  left.forget();
  again.release();
  await settled();
  expect((await openDraft("note/alice", tab)).kept).toBe("sent, and more");
});

test("what was sent is forgotten, what nobody came back for too", async () => {
  const sent = await openDraft("task/alice", openTab());
  sent.keep("sent");
  sent.forget();
  const left = await openDraft("note/alice", openTab());
  left.keep("left");
  left.release();
  await settled();
  clock += 31 * 86_400_000;
  expect((await openDraft("note/alice", openTab())).kept).toBeNull();
  expect(Object.keys(localStorage)).toEqual([]);
});
