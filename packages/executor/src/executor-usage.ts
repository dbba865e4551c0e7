// What the executor's command line says of itself.

/** Exit codes of sysexits.h: EX_USAGE, EX_TEMPFAIL, EX_CONFIG. */
export const exitCodes = { wrongUsage: 64, nameTaken: 75, wrongSettings: 78 } as const;

export const usage = `Usage: npm run executor -- [options] -- COMMAND [ARGUMENT…]

Takes tasks and starts COMMAND for each of them, in a fresh directory that holds
TASK.json, PROMPT.md and PERSONA.md, with the prompt on standard input. A worker
that ends with 0 has done its task, and the last lines of its standard output
become the result if the task has no newer one; anything else returns the task
to the queue.

In arguments of COMMAND these stand for what they name: {prompt_file},
{persona_file}, {task_file}, {directory}, {task_id}, {dispatch_id}, {attempt},
{agent_type}, {organization}; and, as arguments of their own or behind
--option=, {prompt} and {persona}. {{word}} becomes {word}.

Options
  --slots N            tasks worked on at once, 1 to 100 (1)
  --name NAME          how the service calls this executor (host name and "-1");
                       one process uses a name at a time, a restart keeps it
  --organization SLUG  only tasks of this organization
  --agent-type SLUG    only tasks of this agent type; may be repeated; a slug
                       needs --organization, an id does not
  --lease TIME         after how long without a word of this process its tasks
                       return to the queue, 10s to 24h (60s)
  --time-limit TIME    a worker that takes longer is ended and its task given
                       back: 90s, 45m, 2h
  --memory-limit SIZE  for each process of a worker, where the system can do it:
                       512M, 4G; Node itself needs 1G
  --work-dir DIR       where the workers' directories are made (the system's
                       temporary directory)
  --logs DIR           where each worker's output is kept, a file for each
                       attempt (~/.local/state/task-service/executor)
  --no-logs            keep no output
  --stop-at-once       the first SIGTERM or SIGINT gives the tasks back instead
                       of waiting for their workers
  --help               print this

Environment
  TASK_SERVICE_URL     address of the API, including /api
  TASK_SERVICE_TOKEN_FILE
                       file with an access token that somebody else renews; or
  OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET (or OIDC_CLIENT_SECRET_FILE)
                       a client of the identity provider that is in the group;
                       OIDC_SCOPE and OIDC_RESOURCE are sent if set

With \`npm start\` on the same machine nothing needs to be set:
  npm run executor -- --slots 1 -- node examples/executors/echo.mjs

SIGTERM and SIGINT take no more tasks and wait for the running workers; a second
one, a second or more later, gives their tasks back. Ends with 0; 64 for a wrong
command line, 75 if another process has the name, 78 for wrong settings.
`;
