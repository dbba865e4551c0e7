// Agent types: the synchronized personas (D-11). Read only; changed by pull requests to the agents repository.
import Type, { type Static } from "typebox";
import { operation } from "./operation.ts";
import { page, pageQuery } from "./pagination.ts";
import { Count, Instant, named, nullable, ref, strict, text, Uuid } from "./schema.ts";

export const AgentTypeSource = Type.Object({
  path: Type.String(),
  commit: Type.String({ description: "At which the file was read" }),
  blob_sha: Type.String({ description: "Of the file, as git knows it" }),
  html_url: Type.String({ description: "The file at that commit, for people" }),
});
export type AgentTypeSource = Static<typeof AgentTypeSource>;

const Body = Type.String({ description: "The persona's markdown, used as the system prompt" });

const fields = {
  id: Uuid,
  organization_id: Uuid,
  organization_slug: Type.String(),
  slug: Type.String({ description: "Persona file name without extension" }),
  name: Type.String(),
  description: Type.String(),
  is_active: Type.Boolean({ description: "False once the persona is gone from the repository" }),
  last_synced_at: {
    ...Instant,
    description: "When it was last found as it is; of an inactive one, when it was found to be gone",
  },
  source: AgentTypeSource,
  queued_count: { ...Count, description: "Queued tasks; may be 5 s old" },
  dispatched_count: { ...Count, description: "Live dispatches; may be 5 s old" },
};

export const AgentTypeSummary = named("AgentTypeSummary", fields);
export type AgentTypeSummary = Static<typeof AgentTypeSummary>;

export const AgentType = named("AgentType", {
  ...fields,
  body: Body,
});
export type AgentType = Static<typeof AgentType>;

export const AgentTypeVersion = named(
  "AgentTypeVersion",
  {
    id: { ...Uuid, description: "What `agent_type_version_id` of a dispatch names" },
    agent_type_id: Uuid,
    name: Type.String(),
    description: Type.String(),
    body: Body,
    source: AgentTypeSource,
    first_seen_at: Instant,
  },
  "An agent type as it was from `first_seen_at` on. Versions never change.",
);
export type AgentTypeVersion = Static<typeof AgentTypeVersion>;

/** The agent type a task is assigned to, as much of it as a task shows. */
export const AssignedAgentType = nullable(
  Type.Object({ id: Uuid, slug: Type.String(), name: Type.String(), is_active: Type.Boolean() }),
);

const tag = "Agent types";
const params = strict({ id: { ...Uuid, description: "Id of the agent type" } });

export const agentTypeOperations = {
  listAgentTypes: operation({
    method: "GET",
    path: "/agent-types",
    tag,
    summary: "List agent types",
    description: "By organization and slug, without their bodies; inactive ones too, unless `is_active` is given.",
    querystring: pageQuery({
      organization: Type.Optional(
        Type.String({ minLength: 1, maxLength: 40, description: "Id or slug", examples: ["acme"] }),
      ),
      is_active: Type.Optional(Type.Boolean({ description: "Both, if it is left out" })),
      slug: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ["developer"] })),
      q: Type.Optional(text(1, 200, { description: "Part of the slug, name or description" })),
    }),
    response: { 200: page(ref(AgentTypeSummary)) },
  }),
  getAgentType: operation({
    method: "GET",
    path: "/agent-types/:id",
    tag,
    summary: "Read an agent type",
    description: "With its body.",
    params,
    response: { 200: ref(AgentType) },
    problems: ["not_found"],
  }),
  listAgentTypeVersions: operation({
    method: "GET",
    path: "/agent-types/:id/versions",
    tag,
    summary: "List the versions of an agent type",
    description:
      "Every body it ever had, newest first, with the commit it was read at: a file that goes back to what it was before is a new version, one that was only away is not. With bodies, so a page ends early where they would come to more than 8 MiB: `next_cursor` says whether there are more.",
    params,
    querystring: pageQuery({}),
    response: { 200: page(ref(AgentTypeVersion)) },
    problems: ["not_found"],
  }),
};
