#!/usr/bin/env node
// `task-service`: arguments in, an exit code out.
import { runProgram } from "./program.ts";

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

process.exitCode = await runProgram(process.argv.slice(2));
