// Who made a change (D-09), and who is asking (`GET /me`, D-39).
import Type, { type Static } from "typebox";
import { operation } from "./operation.ts";
import { Count, Instant, named, ref } from "./schema.ts";

export const Actor = Type.Object({ sub: Type.String(), name: Type.String() });
export type Actor = Static<typeof Actor>;

export const Me = named("Me", {
  sub: Type.String(),
  name: Type.String(),
  expires_at: Instant,
  git_url: Type.String({ description: "The git host whose repositories the service mirrors" }),
  limits: Type.Object({
    prompt_characters: Count,
    title_characters: Count,
    result_characters: Count,
    labels: Count,
    priority_min: Type.Integer(),
    priority_max: Type.Integer(),
    page_size: Count,
    bulk_tasks: Count,
    note_characters: Count,
    task_depth: Type.Integer({ minimum: 0, description: "How far a follow-up may be from its root" }),
    tasks_per_root: Type.Integer({ minimum: 0, description: "How many tasks one root may have, itself among them" }),
  }),
  version: Type.String({ description: "Version of the service" }),
});
export type Me = Static<typeof Me>;

export const actorOperations = {
  getMe: operation({
    method: "GET",
    path: "/me",
    tag: "Me",
    summary: "Ask who you are",
    description: "Who the token speaks for, and the limits of this service.",
    response: { 200: ref(Me) },
  }),
};
