// The MCP server: lists the tools, checks arguments, calls, and turns what goes wrong into answers a model can use.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { reportOf } from "../failure-report.ts";
import { getAgentType, listAgentTypes } from "./agent-type-tools.ts";
import { createArgumentCheck } from "./argument-check.ts";
import { type Tool, type ToolContext, ToolUseError } from "./mcp-tool.ts";
import { leaveNote, listNotes } from "./note-tools.ts";
import { getQueue } from "./queue-tool.ts";
import { createTask, getTask, listTasks, updateTask } from "./task-tools.ts";

export const tools: readonly Tool[] = [
  listAgentTypes,
  getAgentType,
  createTask,
  getTask,
  updateTask,
  leaveNote,
  listNotes,
  listTasks,
  getQueue,
];

const about =
  "A task queue shared by people and agents. A task has a prompt and is assigned to an agent type: a persona that an agent works as. Executors take tasks by priority and start a worker for each. Workers know nothing of each other: they cooperate by creating tasks, leaving notes and setting results.";

const instructions = ({ worker }: ToolContext): string =>
  worker.taskId
    ? `${about} You are the worker of task ${worker.taskId}: get_task, update_task and leave_note mean it unless you name another, and create_task makes follow-ups of it.`
    : about;

const answer = (text: string, isError = false): CallToolResult => ({ content: [{ type: "text", text }], isError });

/** Every failure that is foreseen becomes an answer; anything else is a fault of this program. */
const failureSentence = (error: unknown): string => {
  if (error instanceof ToolUseError) return error.message;
  const report = reportOf(error);
  if (!report) throw error;
  return report.sentence;
};

/** A server that speaks for `context`; connect it to a transport. */
export const createMcpServer = (context: ToolContext, version: string): Server => {
  const server = new Server(
    { name: "task-service", version },
    { capabilities: { tools: {} }, instructions: instructions(context) },
  );
  const checks = new Map(tools.map(({ name, inputSchema }) => [name, createArgumentCheck(inputSchema)]));

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema, isReadOnly }) => ({
      name,
      description,
      inputSchema: inputSchema as unknown as { type: "object" },
      annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
    })),
  }));

  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}.`);
    const wrong = checks.get(name)?.(given);
    if (wrong) return answer(wrong, true);
    try {
      return answer(JSON.stringify(await tool.call(context, given as never)));
    } catch (error) {
      return answer(failureSentence(error), true);
    }
  });
  return server;
};
