// The part of the fake API that hands tasks to executors and hears from them again.
import type { AgentType, Client, DispatchDetail, Note, Outcome, Task } from "@task-service/contract";
import { makeDispatch } from "./dispatch-factory.ts";
import { problem } from "./fake-problems.ts";
import { nextId } from "./resource-factory.ts";

export interface FakeDispatchWorld {
  tasks: Task[];
  agentTypes: AgentType[];
  dispatches: DispatchDetail[];
  notes: Note[];
  /** The queue in its order. */
  queue: () => Task[];
  put: (task: Task, change: Partial<Task>) => Task;
}

const now = () => new Date().toISOString();
const alice = { sub: "alice", name: "alice" };
const pageOf = <T>(items: T[]) => ({ items, next_cursor: null });

export const fakeDispatchOperations = (world: FakeDispatchWorld): Partial<Client> => {
  const { tasks, agentTypes, dispatches, notes, queue, put } = world;
  const dispatchOf = (id: string) => {
    const dispatch = dispatches.find((one) => one.id === id);
    if (!dispatch) throw problem("not_found", "There is no such dispatch.");
    return dispatch;
  };
  const liveOf = (id: string) => {
    const dispatch = dispatchOf(id);
    if (dispatch.ended_at) throw problem("stale_dispatch", "The dispatch is over.");
    return dispatch;
  };
  const end = (id: string, outcome: Outcome, reason: string | null = null) =>
    Object.assign(liveOf(id), { ended_at: now(), outcome, reason });
  const taskOf = ({ task_id }: DispatchDetail) => tasks.find(({ id }) => id === task_id);

  return {
    takeNextTask: async (input) => {
      const { executor = "alice", agent_type } = input?.query ?? {};
      const next = queue().find(({ assignee }) => !agent_type || agent_type.includes(assignee ?? ""));
      const type = agentTypes.find(({ id }) => id === next?.assignee);
      if (!next || !type) return null;
      const dispatch = makeDispatch(next, type, { executor, actor: alice, dispatched_at: now() });
      dispatches.unshift(dispatch);
      const held = { state: "dispatched", executor, current_dispatch_id: dispatch.id, dispatched_at: now() } as const;
      return { dispatch, task: put(next, held), agent_type: dispatch.agent_type, notes: [] };
    },
    listDispatches: async (input) => {
      const { executor, live } = input?.query ?? {};
      return pageOf(
        dispatches.filter(
          (one) => (!executor || one.executor === executor) && (live === undefined || (one.ended_at === null) === live),
        ),
      );
    },
    getDispatch: async ({ params }) => ({ ...dispatchOf(params.id) }),
    heartbeatDispatch: async ({ params }) => liveOf(params.id),
    finishDispatch: async ({ params }) => {
      const ended = end(params.id, "finished");
      const task = taskOf(ended);
      if (task) put(task, { dispatch_ended_at: now() });
      return ended;
    },
    releaseDispatch: async ({ params, body }) => {
      const ended = end(params.id, "released", body?.reason ?? null);
      const task = taskOf(ended);
      if (task) put(task, { state: "queued", executor: null, current_dispatch_id: null });
      return ended;
    },
    listNotes: async ({ params }) => pageOf(notes.filter(({ task_id }) => task_id === params.id)),
    createNote: async ({ params, body }) => {
      const note: Note = {
        id: nextId(),
        task_id: params.id,
        dispatch_id: body.dispatch_id ?? null,
        actor: alice,
        text: body.text,
        at: now(),
      };
      notes.unshift(note);
      return note;
    },
  };
};
