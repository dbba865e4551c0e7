#!/usr/bin/env node
// `task-service`: arguments in, an exit code out.
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// A third of the time a command takes to start; a folder of its owner's, for what lies there is run.
enableCompileCache(join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "task-service", "code"));
const { endWithReader } = await import("@task-service/executor/stop-signals");
const { runProgram } = await import("./program.ts");
endWithReader();
process.exitCode = await runProgram(process.argv.slice(2));
