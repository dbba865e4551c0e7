// The questions by name, in the order they are asked.
import type { Result } from "../harness/figures.ts";
import type { Place } from "../harness/place.ts";
import { capacity } from "./capacity.ts";
import { create } from "./create.ts";
import { depth } from "./depth.ts";
import { dispatch } from "./dispatch.ts";
import { filter } from "./filter.ts";
import { lists } from "./lists.ts";
import { snapshot } from "./snapshot.ts";
import { waiters } from "./waiters.ts";
import { wake } from "./wake.ts";

/** Measures, and answers a line of the table for each of its figures. */
export type Question = (place: Place) => Promise<Result[]>;

export const questions = { dispatch, capacity, create, wake, depth, filter, snapshot, waiters, lists } satisfies Record<
  string,
  Question
>;
