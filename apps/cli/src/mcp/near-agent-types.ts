// When an agent type is not there or not active: the names nearest to the one that was meant, for the model's next try.
import { type Client, ProblemError } from "@task-service/contract";
import { agentTypeId, isId } from "../agent-type-names.ts";
import { CommandFailure } from "../exit-codes.ts";
import { ToolUseError } from "./mcp-tool.ts";

const shown = 5;
const compared = 200;

/** Changes of one character that make one word the other (Levenshtein). */
const editDistance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    let diagonal = index;
    const next = [index + 1];
    for (const [column, against] of [...other].entries()) {
      const changed = diagonal + (character === against ? 0 : 1);
      diagonal = row[column + 1] ?? 0;
      next.push(Math.min(changed, diagonal + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** Up to five, the nearest first; a name without its organization is compared by slug alone. */
const nearestNames = async (client: Client, wanted: string): Promise<string[]> => {
  const { items } = await client.listAgentTypes({ query: { is_active: true, limit: compared } });
  const asked = wanted.toLowerCase().slice(0, 200);
  return items
    .map(({ organization_slug, slug }) => {
      const name = `${organization_slug}/${slug}`;
      return { name, distance: editDistance(asked, asked.includes("/") ? name : slug) };
    })
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, shown)
    .map(({ name }) => name);
};

/** What went wrong, if it is about an agent type. */
const agentTypeFault = (error: unknown): string | undefined => {
  if (error instanceof CommandFailure) return error.message;
  const isOne = error instanceof ProblemError && ["unknown_assignee", "inactive_agent_type"].includes(error.code);
  return isOne ? error.problem.detail : undefined;
};

/** Does `work`, which needs the agent type `wanted`; if there is no such, fails with a sentence that has the nearest names. */
export const withNearNames = async <T>(client: Client, wanted: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const sentence = agentTypeFault(error);
    if (!sentence) throw error;
    const names = (await nearestNames(client, wanted)).filter((name) => !sentence.includes(name));
    const near = names.length > 0 ? ` The nearest of those that are active: ${names.join(", ")}.` : "";
    throw new ToolUseError(`${sentence}${near} list_agent_types tells what each is for.`);
  }
};

/** What the API takes for an agent type: a slug that only one organization has becomes its id. */
export const assigneeFor = async (client: Client, name: string, organization?: string): Promise<string> =>
  name.includes("/") || isId(name) ? name : agentTypeId(client, name, organization);

/**
 * What the API takes for a filter by assignees. A bare word means the agent types with that slug, and a person where there is
 * none; a name with an organization must be there, or a misspelled one would look like a list that is empty.
 */
export const assigneeFilter = async (
  client: Client,
  names: readonly string[] | undefined,
): Promise<{ assignee?: string[] }> => {
  if (!names) return {};
  const meant = async (name: string): Promise<string[]> => {
    if (isId(name)) return [name];
    if (name.includes("/")) return [await withNearNames(client, name, () => agentTypeId(client, name))];
    const { items } = await client.listAgentTypes({ query: { slug: name.slice(0, 100), limit: 50 } });
    return items.length > 0 ? items.map(({ id }) => id) : [name];
  };
  return { assignee: (await Promise.all(names.map(meant))).flat() };
};
