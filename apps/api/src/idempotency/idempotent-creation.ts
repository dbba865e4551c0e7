// Creating once for each Idempotency-Key (D-17), however often and on however many replicas at once it is asked for.
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Sql } from "../platform/database.ts";
import { RequestProblem } from "../platform/problems.ts";
import { type CreationKey, fingerprintOf } from "./creation-keys.ts";
import { findBoundKey, isKeyHeld } from "./idempotency-queries.ts";

export interface Creation<T> {
  /** Creates, and binds the key if there is one, in one commit; undefined if the key is bound already. */
  create(key: CreationKey | undefined): Promise<T | undefined>;
  /** What was created, by its ids in their order, as it is now; undefined if any of it is gone. */
  find(ids: readonly string[]): Promise<T | undefined>;
}

type KeyedRequest = Pick<FastifyRequest, "caller" | "routeOptions" | "params" | "body"> & {
  headers: { "idempotency-key"?: string };
};

/**
 * Creates what the request asks for, or answers what an earlier request with its key created. Throws what `create`
 * throws, `idempotency_key_reused` if the key belongs to another request, and `conflict` if what it created is gone, or
 * is still being created after 10 s.
 */
export type CreateOnce = <T>(request: KeyedRequest, reply: FastifyReply, creation: Creation<T>) => Promise<T>;

interface Settled<T> {
  resource: T;
  isReplayed: boolean;
}

/** D-17's 10 s, less the time to say so: no answer takes longer than that. */
const maxWaitMs = 9500;
/** Between two waits for another replica, which the database ends early. */
const pauseMs = 20;

const keyOf = ({ headers, caller, routeOptions, params, body }: KeyedRequest): CreationKey | undefined => {
  const { "idempotency-key": key } = headers;
  if (key === undefined) return undefined;
  return { sub: caller.actor.sub, key, fingerprint: fingerprintOf(routeOptions.url ?? "", params, body) };
};

const created = <T>(resource: T | undefined): T => {
  if (resource === undefined) throw new Error("nothing was created, although no key was in the way");
  return resource;
};

const stillUnderWay = (): RequestProblem =>
  new RequestProblem("conflict", "A request with this Idempotency-Key is still under way; repeat it in a moment.");

/** What a key created, as it is now; undefined if the key is free. */
const replay = async <T>(sql: Sql, key: CreationKey, { find }: Creation<T>): Promise<T | undefined> => {
  const bound = await findBoundKey(sql, key);
  if (!bound) return undefined;
  if (bound.fingerprint !== key.fingerprint) {
    const detail =
      "This Idempotency-Key was sent with another request before; use a fresh key for each thing to create.";
    throw new RequestProblem("idempotency_key_reused", detail);
  }
  const resource = await find(bound.resource_ids);
  if (resource === undefined) {
    const detail =
      "What was created with this Idempotency-Key has been deleted since; use a fresh key to create it anew.";
    throw new RequestProblem("conflict", detail);
  }
  return resource;
};

/** Makes the one place of this process that knows what is being created under which key. */
export const createOnceByKey = (sql: Sql): CreateOnce => {
  // Who repeats what is being created here waits for it without a connection.
  const underWay = new Map<string, Promise<unknown>>();

  const begin = <T>(name: string, key: CreationKey, { create }: Creation<T>): Promise<T | undefined> => {
    const creating = create(key).finally(() => underWay.delete(name));
    underWay.set(name, creating);
    return creating;
  };

  /** `late` rejects when who waits for another request has waited long enough. */
  const settle = async <T>(key: CreationKey, creation: Creation<T>, late: Promise<never>): Promise<Settled<T>> => {
    const name = JSON.stringify([key.sub, key.key]);
    let isHeldElsewhere = false;
    for (;;) {
      const twin = underWay.get(name);
      let problem: RequestProblem | undefined;
      if (twin) {
        await Promise.race([twin.catch(() => {}), late]);
      } else {
        try {
          const creating = begin(name, key, creation);
          const resource = await (isHeldElsewhere ? Promise.race([creating, late]) : creating);
          if (resource !== undefined) return { resource, isReplayed: false };
        } catch (error) {
          isHeldElsewhere = isKeyHeld(error);
          if (isHeldElsewhere) {
            await Promise.race([late, delay(pauseMs)]);
            continue;
          }
          if (!(error instanceof RequestProblem)) throw error;
          // What can no longer be created may have been created before.
          problem = error;
        }
      }
      const resource = await replay(sql, key, creation);
      if (resource !== undefined) return { resource, isReplayed: true };
      if (problem) throw problem;
    }
  };

  return async (request, reply, creation) => {
    const key = keyOf(request);
    if (!key) return created(await creation.create(undefined));
    const { promise: late, reject } = Promise.withResolvers<never>();
    late.catch(() => {});
    const timer = setTimeout(() => reject(stillUnderWay()), maxWaitMs);
    try {
      const { resource, isReplayed } = await settle(key, creation, late);
      if (isReplayed) reply.header("Idempotency-Replayed", "true");
      return resource;
    } finally {
      clearTimeout(timer);
    }
  };
};
