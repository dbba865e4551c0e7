// How people name an agent type: by id, as `organization/slug`, or by a slug that only one organization has.
import type { AgentTypeSummary, Client } from "@task-service/contract";
import { CommandFailure, exitCodes } from "./exit-codes.ts";
import { shortened } from "./shortened-text.ts";
import { printable } from "./terminal.ts";

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isId = (text: string): boolean => uuid.test(text);

const refuse = (sentence: string): CommandFailure => new CommandFailure(exitCodes.refused, sentence);

const nameOf = ({ organization_slug, slug }: AgentTypeSummary): string => `${organization_slug}/${slug}`;

/** The id of the agent type called `name`, looked for in `organization` alone if that is given. Refuses none and several. */
export const agentTypeId = async (client: Client, name: string, organization?: string): Promise<string> => {
  if (isId(name)) return name;
  const [slug = "", owner = organization] = name.split("/").reverse();
  const query = { slug, limit: 50, ...(owner && { organization: owner }) };
  const { items } = slug ? await client.listAgentTypes({ query }) : { items: [] };
  const active = items.filter(({ is_active }) => is_active);
  const found = active.length > 0 ? active : items;
  const [only, ...others] = found;
  if (!only) throw refuse(`There is no agent type ${printable(shortened(name))}.`);
  if (others.length === 0) return only.id;
  const names = found.map(nameOf).join(", ");
  throw refuse(`Several organizations have an agent type ${printable(shortened(name))}: say which one, ${names}.`);
};

/** The ids of several, in their order. */
export const agentTypeIds = (client: Client, names: readonly string[], organization?: string): Promise<string[]> =>
  Promise.all(names.map((name) => agentTypeId(client, name, organization)));
