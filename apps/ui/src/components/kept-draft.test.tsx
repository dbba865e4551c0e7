// A text that is kept while it is written, at the moment it is opened.
import { act, renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { openDraft } from "../lib/kept-drafts.ts";
import { useKeptText } from "./kept-draft.ts";

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

test("what is typed before the draft is open takes no place of what was kept: both are there", async () => {
  const before = await openDraft("note/alice");
  before.keep("Begun yesterday");
  before.release();
  const { result } = renderHook(() => useKeptText("note/alice"));
  act(() => result.current.write("New"));
  await waitFor(() => expect(result.current.text).toBe("Begun yesterday\n\nNew"), { timeout: 5000 });
  expect((await openDraft("note/alice")).kept).toBe("Begun yesterday\n\nNew");
});

test("a text of another name begins with its own", async () => {
  const before = await openDraft("note/bob");
  before.keep("Of bob");
  before.release();
  const { result, rerender } = renderHook(({ name }) => useKeptText(name), { initialProps: { name: "note/alice" } });
  await act(async () => undefined);
  act(() => result.current.write("Of alice"));
  rerender({ name: "note/bob" });
  await waitFor(() => expect(result.current.text).toBe("Of bob"), { timeout: 5000 });
  expect((await openDraft("note/alice")).kept).toBe("Of alice");
});
