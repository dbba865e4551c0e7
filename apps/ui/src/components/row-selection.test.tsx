// Moving and selecting by keys: ranges, rows that come and go, and never while somebody types.
import { act, renderHook } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { type RowSource, useRowSelection } from "./row-selection.ts";

/** A list that knows all its rows. */
const rowSource = (ids: readonly string[]): RowSource => ({
  count: ids.length,
  idAt: (index) => ids[index],
  indexOf: (id) => ids.indexOf(id),
});

const ids = ["a", "b", "c", "d", "e"];
const setUp = (options: Partial<Parameters<typeof useRowSelection>[0]> = {}) => {
  const hook = renderHook((rows: readonly string[]) => useRowSelection({ rows: rowSource(rows), ...options }), {
    initialProps: ids,
  });
  return { ...hook, user: userEvent.setup(), selection: () => hook.result.current };
};

afterEach(() => document.body.replaceChildren());

test("j, k and the arrows move, Home and End jump, and both ends hold", async () => {
  const { user, selection } = setUp();
  await user.keyboard("jj{ArrowDown}k");
  expect(selection().current).toBe("b");
  await user.keyboard("{End}j");
  expect(selection().current).toBe("e");
  await user.keyboard("{Home}{ArrowUp}");
  expect(selection().current).toBe("a");
});

test("x selects, Shift x selects a range, Escape lets go and then closes", async () => {
  const onClose = vi.fn();
  const { user, selection } = setUp({ onClose });
  await user.keyboard("jx");
  expect([...selection().selected]).toEqual(["a"]);
  await user.keyboard("jjX");
  expect([...selection().selected]).toEqual(["a", "b", "c"]);
  await user.keyboard("x");
  expect([...selection().selected]).toEqual(["a", "b"]);
  await user.keyboard("{Escape}");
  expect(selection().selected.size).toBe(0);
  expect(selection().current).toBe("c");
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

test("a click with Shift goes back to the row clicked before", () => {
  const { selection } = setUp();
  act(() => selection().toggle("d"));
  act(() => selection().toggle("b", true));
  expect(selection().selected).toEqual(new Set(["b", "c", "d"]));
});

test("a row that left hands on to the one that took its place", async () => {
  const { user, rerender, selection } = setUp();
  await user.keyboard("jj");
  rerender(["a", "c", "d"]);
  await user.keyboard("j");
  expect(selection().current).toBe("c");
});

test("a row that is not read yet can be reached, and is current once it is there", async () => {
  const known = new Map<number, string>();
  const onMove = vi.fn();
  const rows = { count: 1_000, idAt: (index: number) => known.get(index), indexOf: () => -1 };
  const { result, rerender } = renderHook(() => useRowSelection({ rows, onMove }));
  await userEvent.keyboard("{End}");
  expect(onMove).toHaveBeenCalledWith(999, undefined);
  expect(result.current.current).toBeNull();
  known.set(999, "last");
  rerender();
  expect(result.current.current).toBe("last");
});

test("Escape that closes a dialog lets nothing go", async () => {
  const { user, selection } = setUp();
  await user.keyboard("jx");
  const dialog = document.body.appendChild(document.createElement("div"));
  dialog.role = "dialog";
  const close = () => dialog.remove();
  window.addEventListener("keydown", close, { capture: true });
  await user.keyboard("{Escape}");
  window.removeEventListener("keydown", close, { capture: true });
  expect(selection().selected.size).toBe(1);
});

test("Enter opens the current row, but means what it means on a button", async () => {
  const onOpen = vi.fn();
  const { user } = setUp({ onOpen });
  await user.keyboard("j{Enter}");
  expect(onOpen).toHaveBeenCalledWith("a");
  const button = document.body.appendChild(document.createElement("button"));
  button.focus();
  await user.keyboard("{Enter}");
  expect(onOpen).toHaveBeenCalledOnce();
});

test("keys are text while somebody types; a check box takes none", async () => {
  const { user, selection } = setUp();
  const field = document.body.appendChild(document.createElement("input"));
  field.focus();
  await user.keyboard("jx");
  expect(selection().current).toBeNull();
  field.type = "checkbox";
  await user.keyboard("jx");
  expect([...selection().selected]).toEqual(["a"]);
});

test("a key of a sequence is not a key by itself", async () => {
  const { user, selection } = setUp();
  await user.keyboard("gj");
  expect(selection().current).toBeNull();
});

test("an open list keeps the keys, one that is merely kept in the page does not", async () => {
  const { user, selection } = setUp();
  const list = document.body.appendChild(document.createElement("div"));
  list.role = "listbox";
  await user.keyboard("j");
  expect(selection().current).toBeNull();
  list.style.display = "none";
  await user.keyboard("j");
  expect(selection().current).toBe("a");
});
