// What was asked of the git host's API so far, and how much of it at the same time: by owner, and over all.
import type { ServerResponse } from "node:http";

export interface AskedRequest {
  /** Below `/api/v1/`, with the query. */
  path: string;
  /** Null until it is answered, for ever if it never is. */
  status: number | null;
  /** How many of this owner's were under way when it began, itself among them. */
  in_flight: number;
}

export interface InFlight {
  in_flight: number;
  in_flight_peak: number;
}

export interface RequestLog extends InFlight {
  requests: AskedRequest[];
}

export interface GitHostJournal {
  begin(owner: string, path: string, response: ServerResponse): void;
  of(owner: string): RequestLog;
  forget(owner: string): void;
  overall(): InFlight;
  /** The peak begins anew. */
  forgetPeak(): void;
}

export const createJournal = (): GitHostJournal => {
  const logs = new Map<string, RequestLog>();
  const all: InFlight = { in_flight: 0, in_flight_peak: 0 };
  const logOf = (owner: string): RequestLog => {
    const key = owner.toLowerCase();
    const log = logs.get(key) ?? { requests: [], in_flight: 0, in_flight_peak: 0 };
    logs.set(key, log);
    return log;
  };
  return {
    begin: (owner, path, response) => {
      const log = logOf(owner);
      for (const count of [all, log]) {
        count.in_flight += 1;
        count.in_flight_peak = Math.max(count.in_flight_peak, count.in_flight);
      }
      const request: AskedRequest = { path, status: null, in_flight: log.in_flight };
      log.requests.push(request);
      response.on("close", () => {
        if (response.headersSent) request.status = response.statusCode;
        for (const count of [all, log]) count.in_flight -= 1;
      });
    },
    of: logOf,
    forget: (owner) => {
      const log = logOf(owner);
      Object.assign(log, { requests: [], in_flight_peak: log.in_flight });
    },
    overall: () => all,
    forgetPeak: () => {
      all.in_flight_peak = all.in_flight;
    },
  };
};
