// Two organizations with agent types to write a new task for, and what its form holds.
import { screen } from "@testing-library/react";
import { makeAgentType, makeOrganization, makeTask } from "./resource-factory.ts";

export const acme = makeOrganization({ slug: "acme" });
export const globex = makeOrganization({ slug: "globex" });
export const developer = makeAgentType(acme, { slug: "developer", description: "Writes code" });
export const writer = makeAgentType(globex, { slug: "writer", description: "Writes prose" });
export const retired = makeAgentType(globex, { slug: "retired", is_active: false });

export const world = () => ({
  organizations: [acme, globex],
  agentTypes: [developer, writer, retired],
  tasks: [makeTask(developer, { title: "Parent" })],
});

/** The value of a field that searches. */
export const field = (name: string) => screen.getByRole<HTMLInputElement>("combobox", { name }).value;
