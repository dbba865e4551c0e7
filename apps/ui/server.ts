// Starts the UI's server from the environment and ends it on SIGTERM.
import { existsSync } from "node:fs";
import path from "node:path";
import { buildServer } from "./server-app.ts";
import { readSettings } from "./server-settings.ts";

const badConfiguration = 78;
const maxDrainMs = 1_500;

const dist = path.join(import.meta.dirname, "dist");
const { settings, problems } = readSettings(process.env);
if (!existsSync(path.join(dist, "index.html"))) problems.push(`${dist} is not built: run npm run build`);
if (problems.length > 0) {
  for (const problem of problems) process.stderr.write(`ui: ${problem}\n`);
  process.exit(badConfiguration);
}

const app = buildServer(settings, dist, { level: "warn" });
await app.listen({ host: settings.host, port: settings.port });
process.stdout.write(`ui: listening on ${app.listeningOrigin}\n`);

let isClosing = false;
// A terminal and npm both pass Ctrl-C on, so a second signal means nothing more than the first.
const close = () => {
  if (isClosing) return;
  isClosing = true;
  setTimeout(() => app.server.closeAllConnections(), maxDrainMs).unref();
  void app.close();
};
process.on("SIGTERM", close);
process.on("SIGINT", close);
