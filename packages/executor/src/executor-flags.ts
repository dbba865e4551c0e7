// Every option of the executor, with what its help says of it: for `npm run executor` and `task-service run`.
import { homedir, hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** As the XDG base directory specification has it. */
export const defaultLogDirectory = (): string =>
  join(process.env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "task-service", "executor");

/** As `parseArgs` takes them; `value` names what stands behind one. */
export const executorFlags = {
  slots: {
    type: "string",
    short: "n",
    default: "1",
    value: "number",
    about: "tasks worked on at once, 1 to 100 (1)",
  },
  name: {
    type: "string",
    default: `${hostname()}-1`,
    value: "name",
    about:
      'how the service calls this executor (host name and "-1"); one process uses a name at a time, a restart keeps it',
  },
  organization: { type: "string", short: "o", value: "slug", about: "only tasks of this organization" },
  "agent-type": {
    type: "string",
    short: "a",
    multiple: true,
    value: "slug",
    about: "only tasks of this agent type; may be repeated; a slug needs --organization, an id does not",
  },
  lease: {
    type: "string",
    default: "60s",
    value: "time",
    about: "after how long without a word of this process its tasks return to the queue, 10s to 24h (60s)",
  },
  "time-limit": {
    type: "string",
    value: "time",
    about: "a worker that takes longer is ended and its task given back: 90s, 45m, 2h",
  },
  "memory-limit": {
    type: "string",
    value: "size",
    about: "for each process of a worker, where the system can do it: 512M, 4G; Node itself needs 1G",
  },
  "work-dir": {
    type: "string",
    default: tmpdir(),
    value: "path",
    about: "where the workers' directories are made (the system's temporary directory)",
  },
  logs: {
    type: "string",
    default: defaultLogDirectory(),
    value: "path",
    about: "where each worker's output is kept, a file for each attempt (~/.local/state/task-service/executor)",
  },
  "no-logs": { type: "boolean", default: false, about: "keep no output" },
  "stop-at-once": {
    type: "boolean",
    default: false,
    about: "the first SIGTERM or SIGINT gives the tasks back instead of waiting for their workers",
  },
} as const;
