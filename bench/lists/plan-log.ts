// The plans of all statements that run while requests are made, and which of them read a whole table that may be large.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

const guardedTables = ["tasks", "events", "dispatches", "ready"];

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: PlanNode[];
}

interface LoggedPlan {
  "Query Text": string;
  Plan: PlanNode;
}

interface LogLine {
  /** With milliseconds, as "2026-11-21 09:30:00.123 UTC". */
  timestamp: string;
  application_name?: string;
  message: string;
}

export interface TableScan {
  table: string;
  statement: string;
  application: string;
  atMs: number;
}

/** Tables that a plan, or one within it, reads from their beginning to their end. */
const scannedTables = (node: PlanNode): string[] => [
  ...(node["Node Type"] === "Seq Scan" && node["Relation Name"] ? [node["Relation Name"]] : []),
  ...(node.Plans ?? []).flatMap(scannedTables),
];

const scansIn = ({ timestamp, application_name = "", message }: LogLine): TableScan[] => {
  const [, json] = /plan:\s*(\{.*)/s.exec(message) ?? [];
  if (json === undefined) return [];
  const plan = JSON.parse(json) as LoggedPlan;
  const statement = plan["Query Text"].replace(/\s+/g, " ").trim();
  return scannedTables(plan.Plan)
    .filter((table) => guardedTables.includes(table))
    .map((table) => ({ table, statement, application: application_name, atMs: Date.parse(timestamp) }));
};

const hasPlan = (line: LogLine): boolean => line.message.includes("plan:");

export interface PlansSeen {
  plans: number;
  scans: TableScan[];
}

/** So long after the last statement the log's collector has written its plan. */
const collectedMs = 500;
/** In force on every connection when the next statement begins. */
const reloadedMs = 200;

/** The server that is watched, by a superuser's connection. */
export interface Watched {
  admin: pg.Client;
  logFile: string;
}

/** Has the plan of every statement logged while `work` runs, and reads them. The service's own in the background are among them. */
export const watchPlans = async ({ admin, logFile }: Watched, work: () => Promise<void>): Promise<PlansSeen> => {
  const setLogging = async (ms: number): Promise<void> => {
    await admin.query(`alter system set auto_explain.log_min_duration = ${ms}`);
    await admin.query("select pg_reload_conf()");
    await delay(reloadedMs);
  };
  const { size } = await stat(logFile);
  await setLogging(0);
  try {
    await work();
  } finally {
    await setLogging(-1);
  }
  await delay(collectedMs);
  const seen: PlansSeen = { plans: 0, scans: [] };
  for await (const text of createInterface({ input: createReadStream(logFile, { start: size }) })) {
    const line = JSON.parse(text) as LogLine;
    if (hasPlan(line)) seen.plans += 1;
    seen.scans.push(...scansIn(line));
  }
  return seen;
};
