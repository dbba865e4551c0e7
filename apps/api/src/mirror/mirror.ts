// Issues and pull requests as tasks show them (D-34): told by webhooks, read when a link is made, looked at in rounds.
import { setTimeout as delay } from "node:timers/promises";
import type { Repository } from "../git/git-address.ts";
import { GitHostError } from "../git/git-host-requests.ts";
import { mapInParallel } from "../platform/parallel.ts";
import { applyDelivery, type Delivery, newerOf, subjectOf } from "./deliveries.ts";
import { type MirrorDeps, readIssueNow } from "./issue-reads.ts";
import { keyOf, type LinkedIssue, listLinkedRepositories } from "./linked-task-queries.ts";
import { forgetUnlinked, noteFailure } from "./mirrored-repository-queries.ts";
import { lookAtRepository } from "./repository-look.ts";
import { shuffled } from "./shuffled.ts";
import type { RoundLimits } from "./single-reads.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface Mirror {
  /** Reads in the background what tasks were linked to just now; what is lost on the way the next round reads. */
  linked(links: readonly LinkedIssue[]): void;
  /** Follows a webhook in the background. */
  deliver(delivery: Delivery): void;
  /**
   * Looks at every repository that tasks are linked to. A failure of one is logged and stops no other. Once `signal` is
   * aborted, or the mirror closed, nothing more is asked for.
   */
  look(signal?: AbortSignal): Promise<void>;
  /** Resolves when nothing is under way in the background. */
  idle(): Promise<void>;
  /** Begins nothing more, and resolves when what is under way has ended. */
  close(): Promise<void>;
}

export interface MirrorOptions extends MirrorDeps {
  /** What was confirmed so long ago is confirmed again, since nothing but a webhook tells of deletions; 6 h unless set otherwise. */
  confirmedForMs?: number;
  /** How many issues one round confirms; 500 unless set otherwise. */
  confirmationsOfRound?: number;
  /** Before each repository of a round, so that the host is not asked in bursts; 100 at most unless set otherwise. */
  pauseMs?: () => number;
}

const readsAtOnce = 4;
/** Of the two connections that background work has, one is left to others. */
const deliveriesAtOnce = 1;
const repositoriesAtOnce = 4;
const maxWaiting = 10_000;
const usuallyConfirmedForMs = 6 * 3_600_000;
const usualConfirmations = 500;
const pauseAtMostMs = 100;

export const createMirror = ({
  confirmedForMs = usuallyConfirmedForMs,
  confirmationsOfRound = usualConfirmations,
  pauseMs = () => Math.random() * pauseAtMostMs,
  ...deps
}: MirrorOptions): Mirror => {
  const { sql, log } = deps;
  const closing = new AbortController();

  // A failure of the host is no fault of this service.
  const logFailure = (error: unknown, what: object, message: string): void => {
    if (closing.signal.aborted) return;
    const level = error instanceof GitHostError ? "warn" : "error";
    log[level]({ err: error, ...what }, message);
  };

  const reads = createWorkQueue({
    width: readsAtOnce,
    maxWaiting,
    work: async ({ owner, repo, number }: LinkedIssue) => {
      await readIssueNow(deps, { owner, repo }, number).catch((error) =>
        logFailure(error, { owner, repo, number }, "a linked issue could not be read; the next round tries again"),
      );
    },
  });
  const readSoon = ({ owner, repo, number }: LinkedIssue): void => {
    reads.add(`${owner}/${repo}#${number}`.toLowerCase(), { owner, repo, number });
  };

  const deliveries = createWorkQueue<Delivery>({
    width: deliveriesAtOnce,
    maxWaiting,
    merge: newerOf,
    work: async (delivery) => {
      try {
        for (const issue of await applyDelivery(deps, delivery)) readSoon(issue);
      } catch (error) {
        const { owner, repo } = delivery.repository;
        logFailure(error, { owner, repo, number: delivery.issue.number }, "a delivery was not followed");
      }
    },
  });

  const lookAt = async (repository: Repository, limits: RoundLimits): Promise<void> => {
    try {
      await lookAtRepository(deps, repository, limits);
    } catch (error) {
      logFailure(error, repository, "a repository's issues could not be read");
      if (!(error instanceof GitHostError)) return;
      await noteFailure(sql, keyOf(repository), error.message).catch((failure) =>
        logFailure(failure, repository, "a failed look at a repository could not be noted"),
      );
    }
  };

  return {
    linked: (links) => {
      for (const link of links) readSoon(link);
    },
    deliver: (delivery) => {
      if (deliveries.add(subjectOf(delivery), delivery) || closing.signal.aborted) return;
      log.warn("too many deliveries wait; the next round reads this one");
    },
    look: async (stopping) => {
      const signal = AbortSignal.any([closing.signal, ...(stopping ? [stopping] : [])]);
      const limits = { confirmedForMs, confirmations: confirmationsOfRound, signal };
      const repositories = shuffled(await listLinkedRepositories(sql));
      await mapInParallel(repositoriesAtOnce, repositories, async (repository) => {
        if (!signal.aborted) await delay(pauseMs(), undefined, { signal }).catch(() => {});
        if (!signal.aborted) await lookAt(repository, limits);
      });
      if (!signal.aborted) await forgetUnlinked(sql);
    },
    idle: async () => {
      await deliveries.idle();
      await reads.idle();
    },
    close: async () => {
      closing.abort();
      await Promise.all([deliveries.close(), reads.close()]);
    },
  };
};
