// What a refused call rejects with, for `rejects.toMatchObject`.
import type { ProblemCode } from "@task-service/contract";

/** A problem with this code that names exactly these fields or parameters, in any words. */
export const refusal = (code: ProblemCode, ...pointers: string[]) => ({
  code,
  ...(pointers.length > 0 && { problem: { errors: pointers.map((pointer) => ({ pointer })) } }),
});
