// Two tasks to take, and one in a person's hands, as the tests of the responder need them.
import type { UserEvent } from "@testing-library/user-event";
import { makeDispatch } from "./dispatch-factory.ts";
import { makeAgentType, makeOrganization, makeTask } from "./resource-factory.ts";

const organization = makeOrganization({ name: "Acme" });
export const developer = makeAgentType(organization, { name: "Developer", body: "You are careful." });
const tester = makeAgentType(organization, { slug: "tester", name: "Tester" });

export const makeWorld = () => ({
  organizations: [organization],
  agentTypes: [developer, tester],
  tasks: [
    makeTask(tester, { title: "Try it" }),
    makeTask(developer, { title: "Mend it", prompt: "Mend **all** of it." }),
  ],
  dispatches: [] as ReturnType<typeof makeDispatch>[],
  notes: [],
});

export const held = (executor = "alice-web") => {
  const world = makeWorld();
  const [, task] = world.tasks;
  const dispatch = makeDispatch(task as (typeof world.tasks)[number], developer, {
    executor,
    actor: { sub: "alice", name: "alice" },
  });
  Object.assign(task ?? {}, { state: "dispatched", current_dispatch_id: dispatch.id });
  world.dispatches.push(dispatch);
  return { ...world, dispatch, task };
};

/** In one piece: what each key does is no question here. */
export const fill = async (user: UserEvent, field: HTMLElement, text: string) => {
  await user.click(field);
  await user.paste(text);
};
