// Who a task is for, as the options of a command say it and as the API takes it.
import type { Client, TaskCreate } from "@task-service/contract";
import { agentTypeId } from "./agent-type-names.ts";
import { wrongUse } from "./exit-codes.ts";

export interface AssigneeOptions {
  /** By name. */
  readonly agentType?: string | undefined;
  readonly user?: string | undefined;
  readonly isForNobody?: boolean;
}

type Assignment = Pick<TaskCreate, "assignee_type" | "assignee">;

/** Its fields; none where nothing says who. A slug alone is looked for in `organization`, if that is given. Fails as wrong use for more than one assignee. */
export const assignment = async (
  client: Client,
  { agentType, user, isForNobody = false }: AssigneeOptions,
  organization?: string,
): Promise<Assignment> => {
  const named = [agentType !== undefined && "--agent-type", user !== undefined && "--user", isForNobody && "--nobody"];
  const [one, other] = named.filter((name) => name !== false);
  if (one && other) throw wrongUse(`Give ${one} or ${other}, not both.`);
  if (isForNobody) return { assignee_type: null, assignee: null };
  if (user !== undefined) return { assignee_type: "user", assignee: user };
  if (agentType === undefined) return {};
  // The API knows ids and `organization/slug` itself.
  const assignee = agentType.includes("/") ? agentType : await agentTypeId(client, agentType, organization);
  return { assignee_type: "agent", assignee };
};
