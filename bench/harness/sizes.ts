// How much is queued and for how long each side is measured.

export interface Sizes {
  /** Tasks that wait when a measurement begins. */
  waiting: number;
  /** A measurement, after a warm-up of one second. */
  seconds: number;
  rounds: number;
  /** Tasks created one after the other to see how soon each is received. */
  wakes: number;
  /** Claims made while another transaction is open. */
  claimsUnderSnapshot: number;
  /** Long polls that wait at once. */
  waiters: number;
  /** Tasks of all states in the lists that are read. */
  listed: number;
  /** The page that is held against the first. */
  farPage: number;
  /** How often each page is read. */
  reads: number;
  /** How often by several callers at once. */
  readsTogether: number;
}

export const fullSizes: Sizes = {
  waiting: 1_000_000,
  seconds: 5,
  rounds: 3,
  wakes: 400,
  claimsUnderSnapshot: 200_000,
  waiters: 5000,
  listed: 1_000_000,
  farPage: 1000,
  reads: 50,
  readsTogether: 4,
};

/** To see that everything works; figures of it say little. */
export const quickSizes: Sizes = {
  waiting: 50_000,
  seconds: 2,
  rounds: 1,
  wakes: 60,
  claimsUnderSnapshot: 10_000,
  waiters: 500,
  listed: 50_000,
  farPage: 100,
  reads: 20,
  readsTogether: 2,
};
