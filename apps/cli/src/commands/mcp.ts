// `task-service mcp`: the service's tools for a model, over standard input and output.

import { once } from "node:events";
import { Command } from "commander";
import { readVersion } from "../cli-version.ts";
import { interruptible } from "../interruption.ts";
import { withSession } from "../session.ts";
import { workerSurroundings } from "../worker-surroundings.ts";

const help = `
For clients of the Model Context Protocol, which start it as a process. Settings are
those of every command; inside a worker (TASK_ID, DISPATCH_ID) the tools mean the
worker's own task. Standard output carries nothing but the protocol.

Example, as most clients configure it
  { "mcpServers": { "task-service": { "command": "task-service", "args": ["mcp"],
      "env": { "TASK_SERVICE_URL": "https://tasks.example/api",
               "TASK_SERVICE_TOKEN_FILE": "/run/secrets/token" } } } }
`;

/** For calls under way at the end. Clients kill what they started a few seconds after they closed its input. */
const drainMs = 3_000;

const serve = (): Promise<void> =>
  withSession(({ client }) =>
    interruptible(async (interrupted) => {
      // Loaded here: no other command needs it.
      const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
      const { watchAnswers } = await import("../mcp/answer-watch.ts");
      const { createMcpServer } = await import("../mcp/mcp-server.ts");
      const server = createMcpServer({ client, worker: workerSurroundings(process.env) }, readVersion());
      const inputEnded = once(process.stdin, "end", { signal: interrupted }).catch(() => undefined);
      const transport = new StdioServerTransport();
      await server.connect(transport);
      const allAnswered = watchAnswers(transport);
      await inputEnded;
      process.stdin.pause();
      await allAnswered(drainMs);
      await server.close();
    }),
  );

export const mcpCommand = (): Command =>
  new Command("mcp").description("serve the tools of the service to a model").addHelpText("after", help).action(serve);
