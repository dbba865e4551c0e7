// Who follows up on whom: half of all tasks stand alone, some families are stars, some chains, a few are as large as one may be.
import type { RandomSource } from "./random-source.ts";

export interface Lineage {
  parent_id: string | null;
  root_id: string;
  depth: number;
}

type Member = Lineage & { id: string };

const familySize = 8;
/** Every so many tasks a great family begins, of which every so many-th is. */
const greatEvery = 100_000;
const greatStride = 97;
const greatSize = 900;

const childOf = ({ id, root_id, depth }: Member): Lineage => ({ parent_id: id, root_id, depth: depth + 1 });

/** Tasks are asked for in the order of their numbers. */
export const createLineage = (random: RandomSource): ((n: number, id: string) => Lineage) => {
  let kind = "alone";
  let founder: Member | undefined;
  let previous: Member | undefined;
  let great: Member | undefined;
  const parentOf = (n: number): Member | undefined => {
    const place = n % greatEvery;
    if (place > 0 && place % greatStride === 0 && place / greatStride <= greatSize) return great;
    if (n % familySize === 0) kind = random.pick(["alone", "alone", "star", "chain"]);
    else if (kind !== "alone") return kind === "star" ? founder : previous;
    return undefined;
  };
  return (n, id) => {
    const parent = parentOf(n);
    const lineage = parent ? childOf(parent) : { parent_id: null, root_id: id, depth: 0 };
    previous = { id, ...lineage };
    if (n % familySize === 0) founder = previous;
    if (n % greatEvery === 0) great = previous;
    return lineage;
  };
};
