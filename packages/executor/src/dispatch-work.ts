// One dispatch from its hand-over to its end: the worker, its report, and what the service has to be told (D-25).
import { stripVTControlCharacters } from "node:util";
import type { Client, Handoff } from "@task-service/contract";
import { type Reporting, tellService } from "./service-reports.ts";
import { type ReportClient, sendReport, type WorkReport } from "./work-report.ts";

/**
 * Does one task. Resolves when it is done, with what is to be written to the task, if anything; rejects with an Error
 * whose message becomes the reason of the release. When `signal` aborts it must stop the work and reject soon: the task
 * belongs to somebody else, or the executor stops.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a runner that reports nothing has nothing to return.
export type RunTask = (handoff: Handoff, signal: AbortSignal) => Promise<WorkReport | undefined | void>;

export type DispatchClient = Pick<Client, "releaseDispatch"> & ReportClient;

/**
 * `finished`: the next signal is to say so. `revoked`: the service had ended the dispatch already. `unreported`: it
 * never heard; the lease returns the task.
 */
export interface DispatchEnd {
  readonly outcome: "finished" | "released" | "revoked" | "unreported";
  /** Why it was released, or why what the worker reported was not taken. */
  readonly reason?: string;
}

interface DispatchWork extends Reporting {
  readonly client: DispatchClient;
  readonly run: RunTask;
  /** Aborts when the service says that the dispatch is over. */
  readonly revoked: AbortSignal;
  /** Resolves when no signal waits any more that would be given the released task at once. */
  readonly beforeRelease: () => Promise<void>;
}

const maxReasonCharacters = 500;

/** One line of plain text, whatever a worker wrote. */
const reasonOf = (error: unknown): string => {
  const message = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const line = message.toWellFormed().replace(/[\p{Cc}\s]+/gu, " ");
  return Array.from(line.trim()).slice(0, maxReasonCharacters).join("");
};

/** Never rejects. A worker handed over while the executor stops is not even started. */
export const workOnDispatch = async (handoff: Handoff, work: DispatchWork): Promise<DispatchEnd> => {
  const { run, revoked, stopped } = work;
  try {
    stopped.throwIfAborted();
    const report = await run(handoff, AbortSignal.any([revoked, stopped]));
    if (revoked.aborted) return { outcome: "revoked" };
    return report ? await reported(handoff, report, work) : { outcome: "finished" };
  } catch (error) {
    if (revoked.aborted) return { outcome: "revoked" };
    return released(handoff, reasonOf(stopped.aborted ? stopped.reason : error), work);
  }
};

/** Work that is done is not done again because its report is refused. */
const reported = async (handoff: Handoff, report: WorkReport, work: DispatchWork): Promise<DispatchEnd> => {
  let refusal: unknown;
  const hearing = await tellService(
    (signal) =>
      sendReport(work.client, handoff, report, signal).catch((error: unknown) => {
        refusal = error;
        throw error;
      }),
    work,
  );
  if (hearing === "over") return { outcome: "revoked" };
  if (hearing === "heard") return { outcome: "finished" };
  const reason = hearing === "refused" ? `its report was not taken: ${reasonOf(refusal)}` : "its report was not heard";
  return { outcome: "finished", reason };
};

const released = async ({ dispatch }: Handoff, reason: string, work: DispatchWork): Promise<DispatchEnd> => {
  const release = (signal: AbortSignal) =>
    work.client.releaseDispatch({ params: { id: dispatch.id }, body: { reason }, signal });
  await work.beforeRelease();
  const hearing = await tellService(release, work);
  if (hearing === "over") return { outcome: "revoked" };
  return { outcome: hearing === "heard" ? "released" : "unreported", reason };
};
