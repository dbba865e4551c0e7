// `task-service __complete`: names that completion scripts offer, within a second or none at all.
import { Argument, Command } from "commander";
import { readCliSettings } from "../cli-settings.ts";
import { isFresh } from "../login-credentials.ts";
import { readLogins } from "../login-file.ts";
import { integer } from "../option-values.ts";
import { type Session, withSession } from "../session.ts";
import { surroundings } from "../surroundings.ts";
import { print, printable } from "../terminal.ts";

/** Whoever presses a key waits no longer. */
const defaultPatienceMs = 1_000;
/** Of it, for clearing up. */
const lastMs = 200;

const readers = {
  "agent-types": async ({ client }: Session, signal: AbortSignal) => {
    const { items } = await client.listAgentTypes({ query: { limit: 200, is_active: true }, signal });
    return items.map(({ organization_slug, slug }) => `${organization_slug}/${slug}`);
  },
  organizations: async ({ client }: Session, signal: AbortSignal) => {
    const { items } = await client.listOrganizations({ query: { limit: 200 }, signal });
    return items.map(({ slug }) => slug);
  },
};

/** A sign-in is not renewed for a key: that takes its time and must not be broken off. */
const isReady = async (): Promise<boolean> => {
  const { credentials, serviceUrl } = await readCliSettings(surroundings().env);
  if (!("loginFile" in credentials)) return true;
  const login = (await readLogins(credentials.loginFile)).logins[serviceUrl];
  return login !== undefined && isFresh(login);
};

const complete = async (what: keyof typeof readers, { within }: { within: number }): Promise<void> => {
  // An identity provider that does not answer keeps nobody waiting either.
  const deadline = setTimeout(() => process.exit(0), within);
  try {
    if (!(await isReady())) return;
    const signal = AbortSignal.timeout(Math.max(0, within - lastMs));
    const names = await withSession((session) => readers[what](session, signal));
    for (const name of names) print(printable(name));
  } catch {
    // Nothing to offer.
  } finally {
    clearTimeout(deadline);
  }
};

const help = `
Example
  $ task-service __complete agent-types
`;

export const nameCompletionCommand = (): Command =>
  new Command("__complete")
    .addArgument(new Argument("<what>", "of what").choices(Object.keys(readers)))
    .option("--within <ms>", "say nothing after so long", integer, defaultPatienceMs)
    .addHelpText("after", help)
    .action(complete);
