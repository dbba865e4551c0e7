// The switches of the tests' git host for one owner: faults, dialect, renamed repositories, webhooks, what was asked so far.
import { inject } from "vitest";
import type { InFlight, RequestLog } from "../../../dev/git-host-journal.ts";
import type { FaultSwitch, OwnerSwitches } from "../../../dev/git-host-switches.ts";

export type { FaultSwitch };

export interface HostSwitches {
  /**
   * For `GIT_API_URL` of an API under test: all it asks there counts as asked of this owner, whatever the repository,
   * `version` too. Without it a request belongs to the owner in its path, and one for `version` to "".
   */
  apiUrl: string;
  /** From now on these faults and no others; of several that fit a request the first acts. What was on
   * hold is answered. */
  fault(...faults: FaultSwitch[]): Promise<void>;
  /** Changes what is named and leaves the rest. Resolves when it is in force; a webhook then misses nothing that follows. */
  set(switches: OwnerSwitches): Promise<void>;
  /** What was asked of this owner since the last call of `forget`. */
  requests(): Promise<RequestLog>;
  forget(): Promise<void>;
  /** As if nothing had been switched. What was asked stays. */
  reset(): Promise<void>;
}

const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await fetch(`${inject("gitUrl")}/-/${path}`, {
    method,
    headers: { connection: "close" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text && JSON.parse(text);
};

export const switchesOf = (owner: string): HostSwitches => {
  const put = async (switches: OwnerSwitches): Promise<void> => {
    await ask("PUT", `switches/${owner}`, switches);
  };
  return {
    apiUrl: `${inject("gitUrl")}/-/as/${owner}/api/v1`,
    fault: (...faults) => put({ faults }),
    set: put,
    requests: async () => (await ask("GET", `requests/${owner}`)) as RequestLog,
    forget: async () => {
      await ask("DELETE", `requests/${owner}`);
    },
    reset: async () => {
      await ask("DELETE", `switches/${owner}`);
    },
  };
};

/** How many requests for the API are under way now, of all tests together, and how many were at most. */
export const requestsInFlight = async (): Promise<InFlight> => (await ask("GET", "in-flight")) as InFlight;
