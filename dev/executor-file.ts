// The file through which `npm run executor` finds what `npm start` runs, so that joining needs no setting.
import { writeFile } from "node:fs/promises";
import { settingFrom } from "./dev-settings.ts";

const names = ["TASK_SERVICE_URL", "OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"];

/** Writes the executor's settings for Node's `--env-file`; what the caller's environment says goes before it. */
export const writeExecutorFile = async (path: string, executor: NodeJS.ProcessEnv): Promise<void> => {
  const lines = names.map((name) => `${name}=${JSON.stringify(settingFrom(executor, name) ?? "")}\n`);
  await writeFile(path, lines.join(""), { mode: 0o600 });
};
