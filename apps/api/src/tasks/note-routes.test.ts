// Notes on tasks (D-38): leaving, listing and reading them, the fence of dispatches, and what they leave untouched.
import { randomUUID } from "node:crypto";
import type { Note, NoteCreate } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createFleet, createHandoff, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const leave = (id: string, body: NoteCreate): Promise<Note> => app.client.createNote({ params: { id }, body });
const notesOf = async (id: string) => (await app.client.listNotes({ params: { id } })).items;
const eventsOf = async (id: string) => (await app.client.listTaskEvents({ params: { id } })).items;

describe("POST /tasks/{id}/notes", () => {
  test("is 201 with the note and where it is; the task's version stays, and its history tells", async () => {
    const task = await createTask(app, fleet);
    const { id } = task;
    const response = await app.request(`/tasks/${id}/notes`, { method: "POST", body: '{"text":"Mind the gap\\n🦀"}' });
    const note = (await response.json()) as Note;
    expect([response.status, note]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        task_id: id,
        dispatch_id: null,
        actor: { sub: "executor", name: "executor" },
        text: "Mind the gap\n🦀",
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
    const { pathname } = new URL(response.headers.get("location") ?? "", response.url);
    expect(await (await app.request(pathname.replace("/api", ""))).json()).toEqual(note);
    expect(await app.client.getTask({ params: { id } })).toEqual(task);
    expect(await eventsOf(id)).toMatchObject([
      { type: "task.noted", actor: note.actor, data: { note_id: note.id, text: note.text } },
      { type: "task.created" },
    ]);
  });

  test("takes 65,536 characters of any kind; the history holds their beginning", async () => {
    const { id } = await createTask(app, fleet);
    const { text } = await leave(id, { text: "🦀".repeat(65_536) });
    expect(text).toBe("🦀".repeat(65_536));
    const [event] = await eventsOf(id);
    expect(event?.data.text).toEqual({ text: "🦀".repeat(4096), truncated: true });
  });

  test.each([
    ["/text", {}],
    ["/text", { text: "" }],
    ["/text", { text: " \n" }],
    ["/text", { text: "x".repeat(65_537) }],
    ["/text", { text: "a\0b" }],
    ["/dispatch_id", { text: "x", dispatch_id: "1" }],
    ["/dispatch_id", { text: "x", dispatch_id: null }],
    ["/note", { text: "x", note: "x" }],
  ])("names %s when it is what is wrong: %j", async (pointer, body) => {
    const { id } = await createTask(app, fleet);
    await expect(leave(id, body as unknown as NoteCreate)).rejects.toMatchObject(refusal("invalid_request", pointer));
    expect(await notesOf(id)).toEqual([]);
  });

  test("holds the task no longer than one statement: a stalled process keeps no claim waiting", async () => {
    const { task, dispatch } = await createHandoff(app);
    const begin = vi.spyOn(app.sql, "begin");
    const [note] = await Promise.all([
      leave(task.id, { text: "Half done", dispatch_id: dispatch.id }),
      app.request(`/tasks/${task.id}/notes`, {
        method: "POST",
        body: '{"text":"Once"}',
        headers: {
          authorization: `Bearer ${app.token}`,
          "content-type": "application/json",
          "idempotency-key": randomUUID(),
        },
      }),
    ]);
    expect(begin).not.toHaveBeenCalled();
    begin.mockRestore();
    expect((await notesOf(task.id)).map(({ text }) => text).toSorted()).toEqual([note.text, "Once"]);
  });

  test.each<[string, (dispatchId: string) => Promise<unknown>, string | undefined]>([
    [
      "stays with it",
      async (id) => await app.sql`update tasks set version = version where current_dispatch_id = ${id}`,
      undefined,
    ],
    ["leaves it", (id) => app.client.releaseDispatch({ params: { id } }), "stale_dispatch"],
  ])("that waits for a change after which the task %s, looks again", async (_, change, code) => {
    const { task, dispatch } = await createHandoff(app);
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holder = app.database.background.begin(async (transaction) => {
      await transaction`select from tasks where id = ${task.id} for update`;
      isHeld.resolve();
      await held.promise;
    });
    await isHeld.promise;
    // Who came first is served first.
    const changed = change(dispatch.id);
    await untilBlocked(app);
    const left = leave(task.id, { text: "Half done", dispatch_id: dispatch.id });
    const outcome = left.then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    await untilBlocked(app, 2);
    held.resolve();
    await Promise.all([holder, changed]);
    expect(await outcome).toBe(code);
    expect(await notesOf(task.id)).toHaveLength(code ? 0 : 1);
  });

  test("on no task is 404", async () => {
    await expect(leave(randomUUID(), { text: "Hello?" })).rejects.toMatchObject({ code: "not_found" });
  });

  test("20 at once are all kept", async () => {
    const { id } = await createTask(app, fleet);
    await Promise.all(Array.from({ length: 20 }, (_, n) => leave(id, { text: `${n}` })));
    expect(new Set((await notesOf(id)).map(({ text }) => text)).size).toBe(20);
  });
});

describe("a note that names its dispatch", () => {
  test("renews the lease, also with the id in upper case", async () => {
    const { task, dispatch } = await createHandoff(app, { lease_seconds: 100 });
    await app.sql`update dispatches set lease_expires_at = now() + interval '1 second' where id = ${dispatch.id}`;
    const note = await leave(task.id.toUpperCase(), { text: "Half done", dispatch_id: dispatch.id.toUpperCase() });
    expect(note).toMatchObject({ task_id: task.id, dispatch_id: dispatch.id });
    const { lease_expires_at, last_heard_at } = await app.client.getDispatch({ params: { id: dispatch.id } });
    expect(Date.parse(lease_expires_at ?? "") - Date.parse(last_heard_at)).toBe(100_000);
  });

  test("is taken after it has finished, and refused once another has followed: 409 stale_dispatch", async () => {
    const first = await createHandoff(app);
    const late = { text: "Done", dispatch_id: first.dispatch.id };
    await app.client.finishDispatch({ params: { id: first.dispatch.id } });
    await leave(first.task.id, late);
    await app.client.requeueTask({ params: { id: first.task.id } });
    await expect(leave(first.task.id, late)).rejects.toMatchObject({ code: "stale_dispatch" });
    await takeTask(app, first.fleet);
    await expect(leave(first.task.id, late)).rejects.toMatchObject({ code: "stale_dispatch" });
    const other = { text: "x", dispatch_id: (await createHandoff(app)).dispatch.id };
    await expect(leave(first.task.id, other)).rejects.toMatchObject({ code: "stale_dispatch" });
    expect(await notesOf(first.task.id)).toHaveLength(1);
  });
});

describe("GET /tasks/{id}/notes", () => {
  test("pages newest first, with a cursor of this task alone", async () => {
    const [{ id }, other] = [await createTask(app, fleet), await createTask(app, fleet)];
    for (const text of ["1", "2", "3", "4", "5"]) await leave(id, { text });
    const first = await app.client.listNotes({ params: { id }, query: { limit: 3 } });
    const cursor = first.next_cursor ?? "";
    const second = await app.client.listNotes({ params: { id }, query: { limit: 3, cursor } });
    expect([...first.items, ...second.items].map(({ text }) => text)).toEqual(["5", "4", "3", "2", "1"]);
    expect(second.next_cursor).toBeNull();
    const foreign = app.client.listNotes({ params: { id: other.id }, query: { cursor } });
    await expect(foreign).rejects.toMatchObject(refusal("invalid_request", "?cursor"));
  });

  test("is empty for a task without notes, 404 without a task; no note is read under another task", async () => {
    const [{ id }, other] = [await createTask(app, fleet), await createTask(app, fleet)];
    expect(await notesOf(id)).toEqual([]);
    await expect(notesOf(randomUUID())).rejects.toMatchObject({ code: "not_found" });
    const note = await leave(other.id, { text: "Elsewhere" });
    const read = app.client.getNote({ params: { id, note: note.id } });
    await expect(read).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("notes go", () => {
  const countNotes = async (taskId: string) => (await app.sql`select from notes where task_id = ${taskId}`).length;

  test("with their task", async () => {
    const { id } = await createTask(app, fleet);
    await leave(id, { text: "Gone soon" });
    await app.client.deleteTask({ params: { id } });
    expect(await countNotes(id)).toBe(0);
  });

  test("with their organization, and no others", async () => {
    const { task, dispatch, fleet: doomed } = await createHandoff(app);
    const kept = await createTask(app, fleet);
    for (const { id } of [task, kept]) await leave(id, { text: "Word" });
    await app.client.finishDispatch({ params: { id: dispatch.id } });
    await app.client.deleteOrganization({ params: { organization: doomed.organization.id } });
    expect([await countNotes(task.id), await countNotes(kept.id)]).toEqual([0, 1]);
  });
});
