// What an executor ends with when its name is another process's.

/** Another process is the executor of that name. */
export class NameTakenError extends Error {
  override readonly name = "NameTakenError";
}
