// Which executors made themselves heard in this process since the last note, and which of them wait (D-25).
import type { Observed } from "./executor-queries.ts";
import type { Offer } from "./waiting-line.ts";

export interface Sightings {
  see(offer: Offer): void;
  /** What was seen since the last call, and who waits now. */
  take(waiting: Iterable<Offer>): Observed[];
}

/** Beyond so many between two notes the rest goes unnoted: names are the callers' to choose. */
const maxSighted = 10_000;

const nameOf = ({ actor, executor }: Offer): string => `${executor}\0${actor.sub}`;

export const createSightings = (): Sightings => {
  let seen = new Map<string, Offer>();
  return {
    see: (offer) => {
      if (seen.size < maxSighted) seen.set(nameOf(offer), offer);
    },
    take: (waiting) => {
      const counts = new Map<string, number>();
      const sighted = seen;
      seen = new Map();
      for (const offer of waiting) {
        const name = nameOf(offer);
        counts.set(name, (counts.get(name) ?? 0) + 1);
        if (sighted.size < maxSighted) sighted.set(name, offer);
      }
      return [...sighted].map(([name, { actor, executor, filter }]) => ({
        actor,
        executor,
        ...filter,
        waiting: counts.get(name) ?? 0,
      }));
    },
  };
};
