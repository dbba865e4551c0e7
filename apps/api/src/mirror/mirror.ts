// Issues and pull requests as tasks show them (D-34): told by webhooks, read when a link is made, looked at in rounds.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { GitHostError } from "../git/git-host-requests.ts";
import { mapInParallel } from "../platform/parallel.ts";
import { applyDelivery, type Delivery, type LinkedIssue } from "./deliveries.ts";
import { type MirrorDeps, readIssueNow } from "./issue-reads.ts";
import { keyOf, listLinkedRepositories } from "./linked-task-queries.ts";
import { forgetUnlinked, noteFailure } from "./mirrored-repository-queries.ts";
import { lookAtRepository } from "./repository-look.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface Mirror {
  /** Reads in the background what tasks were linked to just now; what is lost on the way the next round reads. */
  linked(links: readonly LinkedIssue[]): void;
  /** Follows a webhook in the background. */
  deliver(delivery: Delivery): void;
  /** Looks at every repository that tasks are linked to. A failure of one is logged and stops no other. */
  look(): Promise<void>;
  /** Resolves when nothing is under way in the background. */
  idle(): Promise<void>;
  /** Begins nothing more, and resolves when what is under way has ended. */
  close(): Promise<void>;
}

export interface MirrorOptions extends MirrorDeps {
  intervalSeconds: number;
  /** Before each repository of a round, so that the host is not asked in bursts; 100 at most unless set otherwise. */
  pauseMs?: () => number;
}

const readsAtOnce = 4;
/** Of the two connections that background work has, one is left to others. */
const deliveriesAtOnce = 1;
const repositoriesAtOnce = 4;
const maxWaiting = 10_000;
/** What was confirmed this many rounds ago is confirmed again. */
const roundsConfirmed = 3;
const pauseAtMostMs = 100;

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);

export const createMirror = ({
  intervalSeconds,
  pauseMs = () => Math.random() * pauseAtMostMs,
  ...deps
}: MirrorOptions): Mirror => {
  const { sql, log } = deps;
  let isClosed = false;

  // A failure of the host is no fault of this service.
  const logFailure = (error: unknown, what: object, message: string): void => {
    if (isClosed) return;
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
    work: async (delivery) => {
      try {
        for (const issue of await applyDelivery(deps, delivery)) readSoon(issue);
      } catch (error) {
        const { owner, repo } = delivery.repository;
        logFailure(error, { owner, repo, number: delivery.issue.number }, "a delivery was not followed");
      }
    },
  });

  return {
    linked: (links) => {
      for (const link of links) readSoon(link);
    },
    deliver: (delivery) => {
      if (!deliveries.add(randomUUID(), delivery)) log.warn("too many deliveries wait; the next round reads this one");
    },
    look: async () => {
      const repositories = shuffled(await listLinkedRepositories(sql));
      await mapInParallel(repositoriesAtOnce, repositories, async (repository) => {
        if (isClosed) return;
        await delay(pauseMs());
        try {
          await lookAtRepository(deps, repository, roundsConfirmed * intervalSeconds * 1000);
        } catch (error) {
          logFailure(error, repository, "a repository's issues could not be read");
          if (error instanceof GitHostError) await noteFailure(sql, keyOf(repository), error.message);
        }
      });
      if (!isClosed) await forgetUnlinked(sql);
    },
    idle: async () => {
      await deliveries.idle();
      await reads.idle();
    },
    close: async () => {
      isClosed = true;
      await Promise.all([deliveries.close(), reads.close()]);
    },
  };
};
