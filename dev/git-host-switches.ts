// The switches of a test's git host, below `/-/` and by owner: dialect, faults, renamed repositories, a webhook, what was asked so far.
import { type Dialect, dialects } from "./git-host-dialect.ts";
import { type Fault, faultNames } from "./git-host-faults.ts";
import { createJournal, type GitHostJournal } from "./git-host-journal.ts";
import type { RepositoryWatch } from "./git-host-watch.ts";
import type { WebhookTarget } from "./git-host-webhooks.ts";
import type { GitRenames } from "./git-renames.ts";

/** What is left out stays as it is. */
export interface OwnerSwitches {
  dialect?: Dialect;
  /** Instead of those before. Of several that fit, the first acts. */
  faults?: FaultSwitch[];
  /** Delivers what happens in this owner's repositories; null ends that. */
  webhook?: WebhookTarget | null;
  /** Repositories, and what each is called from now on: `<owner>/<repo>`. */
  renames?: Record<string, string>;
}

export type FaultSwitch = Fault & {
  /** A regular expression on the path below `/api/v1/`, query included. */
  at: string;
  /** How often, then no more; always unless it says so. */
  times?: number;
};

interface State {
  dialect: Dialect;
  faults: { fault: FaultSwitch; at: RegExp; left: number }[];
  lifting: AbortController;
  watch: RepositoryWatch | undefined;
}

export interface GitHostSwitches {
  journal: GitHostJournal;
  dialectOf(owner: string): Dialect;
  /** The fault that acts on this request, which uses it up, and the signal that it is over. */
  faultFor(owner: string, path: string): { fault: Fault; lifted: AbortSignal } | undefined;
  /** `PUT|DELETE /-/switches/{owner}`, `GET|DELETE /-/requests/{owner}`, `GET|DELETE /-/in-flight`; `body` is undefined for 204. */
  answer(method: string, segments: string[], text: string): Promise<{ status: number; body?: unknown }>;
  stop(): void;
}

export interface SwitchesOptions {
  dialect: Dialect;
  renames: GitRenames;
  /** Starts to deliver what happens in the repositories of `owner`; resolves when nothing is missed any more. */
  watch(owner: string, target: WebhookTarget): Promise<RepositoryWatch>;
}

export const createSwitches = ({ dialect, renames, watch }: SwitchesOptions): GitHostSwitches => {
  const states = new Map<string, State>();
  const journal = createJournal();
  const stateOf = (owner: string): State => {
    const key = owner.toLowerCase();
    const state = states.get(key) ?? { dialect, faults: [], lifting: new AbortController(), watch: undefined };
    states.set(key, state);
    return state;
  };
  const setFaults = (state: State, faults: FaultSwitch[]): void => {
    state.lifting.abort();
    state.lifting = new AbortController();
    state.faults = faults.map((fault) => ({ fault, at: new RegExp(fault.at), left: fault.times ?? Infinity }));
  };
  const set = async (owner: string, switches: OwnerSwitches): Promise<void> => {
    const state = stateOf(owner);
    const { webhook, faults } = switches;
    if (switches.dialect) state.dialect = switches.dialect;
    if (faults) setFaults(state, faults);
    for (const [name, to] of Object.entries(switches.renames ?? {})) {
      const [newOwner = "", newName = ""] = to.split("/");
      renames.rename({ owner, name }, { owner: newOwner, name: newName });
    }
    if (webhook === undefined) return;
    state.watch?.stop();
    state.watch = webhook ? await watch(owner, webhook) : undefined;
  };
  const reset = (owner: string): void => {
    const state = stateOf(owner);
    setFaults(state, []);
    state.watch?.stop();
    states.delete(owner.toLowerCase());
    renames.forget(owner);
  };

  const answers: Record<string, (owner: string, text: string) => unknown> = {
    "PUT switches": (owner, text) => set(owner, readSwitches(text)),
    "DELETE switches": reset,
    "GET requests": journal.of,
    "DELETE requests": journal.forget,
    "GET in-flight": journal.overall,
    "DELETE in-flight": journal.forgetPeak,
  };

  return {
    journal,
    dialectOf: (owner) => states.get(owner.toLowerCase())?.dialect ?? dialect,
    faultFor: (owner, path) => {
      const state = states.get(owner.toLowerCase());
      const acting = state?.faults.find(({ at, left }) => left > 0 && at.test(path));
      if (!state || !acting) return undefined;
      acting.left -= 1;
      return { fault: acting.fault, lifted: state.lifting.signal };
    },
    answer: async (method, [what = "", owner = ""], text) => {
      const act = answers[`${method} ${what}`];
      if (!act) return { status: 404, body: { message: "there is no such switch" } };
      try {
        const body = await act(owner, text);
        return body === undefined ? { status: 204 } : { status: 200, body };
      } catch (error) {
        return { status: 400, body: { message: (error as Error).message } };
      }
    },
    stop: () => {
      for (const { watch } of states.values()) watch?.stop();
    },
  };
};

/** Throws an Error that says what is wrong. */
const readSwitches = (text: string): OwnerSwitches => {
  const switches: OwnerSwitches = JSON.parse(text);
  const unknown = Object.keys(switches).find((key) => !["dialect", "faults", "webhook", "renames"].includes(key));
  if (unknown) throw new Error(`there is no switch ${unknown}`);
  if (switches.dialect && !dialects.includes(switches.dialect)) throw new Error(`no dialect ${switches.dialect}`);
  const misnamed = Object.values(switches.renames ?? {}).find((name) => !/^[^/]+\/[^/]+$/.test(name));
  if (misnamed !== undefined) throw new Error(`${misnamed} is not <owner>/<repo>`);
  for (const { fault, at } of switches.faults ?? []) {
    if (!faultNames.includes(fault)) throw new Error(`there is no fault ${fault}`);
    if (typeof at !== "string") throw new Error("a fault needs `at`");
    new RegExp(at);
  }
  return switches;
};
