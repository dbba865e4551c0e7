// Identifiers: UUIDv7 made by the API (D-35), so that ids sort by creation on every supported PostgreSQL.
import { randomBytes } from "node:crypto";

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidPattern.test(text);

const poolBytes = 8192;
const bytesEach = 10;

/** Random bytes, ten at a time: asking the system for each id on its own costs more than making the rest of it. */
const createRandomSource = (): (() => Buffer) => {
  let pool = randomBytes(poolBytes);
  let used = 0;
  return () => {
    if (used + bytesEach > pool.length) {
      pool = randomBytes(poolBytes);
      used = 0;
    }
    used += bytesEach;
    return pool.subarray(used - bytesEach, used);
  };
};

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/**
 * Makes ids that grow strictly within this process (RFC 9562, method 1: a 12-bit counter that is re-seeded
 * every millisecond and borrows the next one when it overflows). `now` is in milliseconds since 1970.
 */
export const createIdSource = (now: () => number = Date.now): (() => string) => {
  let lastMs = 0;
  let counter = 0;
  const nextRandom = createRandomSource();
  return () => {
    const random = nextRandom();
    const ms = now();
    if (ms > lastMs) {
      lastMs = ms;
      counter = random.readUInt16BE(8) & 0x7ff;
    } else if (++counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
    const time = hex(lastMs, 12);
    const variant = hex((random.readUInt16BE(0) & 0x3fff) | 0x8000, 4);
    return `${time.slice(0, 8)}-${time.slice(8)}-${hex(0x7000 | counter, 4)}-${variant}-${random.toString("hex", 2, 8)}`;
  };
};

export const createId = createIdSource();

/** The instant an id was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
