// What an id of the task service looks like.

const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** False for what an address holds after it was cut or mistyped: nothing is asked for by it. */
export const isId = (value: unknown): value is string => typeof value === "string" && pattern.test(value);
