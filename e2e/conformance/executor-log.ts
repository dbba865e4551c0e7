// What executors and producers of a run saw with their own eyes: the half of the evidence that is not in the database.

export interface Receipt {
  dispatch_id: string;
  task_id: string;
  executor: string;
  /** Of the executor's process: a restart begins the next one. */
  incarnation: number;
  /** The request it came with was sent after it had been handed over: a repeated claim key brought it. */
  isReplay: boolean;
}

export interface AckedTask {
  task_id: string;
  ackedMs: number;
}

export interface AckedEnd {
  dispatch_id: string;
  outcome: "finished" | "released";
}

export interface RunLog {
  readonly acked: AckedTask[];
  readonly receipts: Receipt[];
  readonly ends: AckedEnd[];
  /** Answers that the contract does not allow for. */
  readonly surprises: string[];
  /** The agent types an executor asks for; absent: all of them. */
  readonly filters: Map<string, readonly string[]>;
  crashes: number;
}

export const createRunLog = (): RunLog => ({
  acked: [],
  receipts: [],
  ends: [],
  surprises: [],
  filters: new Map(),
  crashes: 0,
});
