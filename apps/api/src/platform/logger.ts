// The log: JSON lines that never hold tokens, prompts or persona bodies.
import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

const standardOutput = () => pino.destination({ sync: false, minLength: 4096, periodicFlush: 200 });

/**
 * Headers and bodies are never logged; errors keep their message and stack but not the statement they came from.
 * No request waits for its line: many go out at once, at the latest after 200 ms or at the process's own end.
 */
export const createLogger = (level: string, destination: DestinationStream = standardOutput()): Logger =>
  pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err: (error: Error & { code?: string }) => ({
          name: error.name,
          code: error.code,
          // PostgreSQL puts values into its messages; its code and the stack tell enough.
          stack: error.name === "PostgresError" ? error.stack?.split("\n").slice(1).join("\n") : error.stack,
        }),
      },
    },
    destination,
  );
