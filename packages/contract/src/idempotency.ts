// Creating once (D-17): the header that makes a repeated request answer what the first one created.
import Type from "typebox";
import { visible } from "./schema.ts";

/** Taken by every POST that creates. */
export const IdempotencyKey = Type.Object({
  "idempotency-key": Type.Optional(
    visible(255, {
      description:
        "Fresh for each thing to create, repeated only to retry: the answer is then what the first request created, as it is now, with `Idempotency-Replayed: true`. Kept for 7 days, for this caller alone.",
      examples: ["0198f3a1-review-of-42"],
    }),
  ),
});

/** What the header may bring about: its thing is gone or still being created, or it belongs to another request. */
export const idempotencyProblems = ["conflict", "idempotency_key_reused"] as const;
