#!/usr/bin/env node
// `task-service`: arguments in, an exit code out.
import { endWithReader } from "@task-service/executor";
import { runProgram } from "./program.ts";

endWithReader();
process.exitCode = await runProgram(process.argv.slice(2));
