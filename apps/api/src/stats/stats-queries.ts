// The numbers of now, put together (D-29).
import type { Stats } from "@task-service/contract";
import type { Queryable } from "../platform/database.ts";
import { readAgentTypeWaits, readDispatchRates } from "./dispatch-rates.ts";
import { readQueueStanding } from "./queue-standing.ts";
import { percentilesOf } from "./wait-times.ts";

export const readStats = async (sql: Queryable): Promise<Stats> => {
  const { by_agent_type, ...standing } = await readQueueStanding(sql);
  const ids = by_agent_type.map(({ agent_type_id }) => agent_type_id);
  const [dispatch, waits] = await Promise.all([
    readDispatchRates(sql, standing.at),
    readAgentTypeWaits(sql, standing.at, ids),
  ]);
  return {
    ...standing,
    by_agent_type: by_agent_type.map((item) => ({
      ...item,
      wait_ms: percentilesOf(waits.get(item.agent_type_id) ?? []),
    })),
    dispatch,
  };
};
