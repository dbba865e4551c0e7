// Everything that can be read of a month with a million tasks: how long it takes, far behind the first page too, and that no
// plan reads a whole table.
import { join } from "node:path";
import type { Result } from "../harness/figures.ts";
import { type Place, postgresSettings } from "../harness/place.ts";
import { lineOf, resultsByGroup } from "../lists/case-results.ts";
import { type CaseTiming, describeTiming, isWithinReach, maxP99Ms, timeCase, timesOf } from "../lists/case-timing.ts";
import { walkAll } from "../lists/far-pages.ts";
import { startFilledServer } from "../lists/filled-server.ts";
import { findLandmarks, seeExecutors } from "../lists/landmarks.ts";
import { type Watched, watchPlans } from "../lists/plan-log.ts";
import { readCasesOf } from "../lists/read-cases.ts";
import { openReader, type Reader } from "../lists/reader.ts";

const callers = 8;

/** Makes each request once, and fails the bench for each plan that reads a whole table. */
const checkPlans = async (place: Place, reader: Reader, paths: readonly string[], watched: Watched): Promise<void> => {
  const asked: { path: string; untilMs: number }[] = [];
  const { plans, scans } = await watchPlans(watched, async () => {
    for (const path of paths) {
      await reader.time(path);
      asked.push({ path, untilMs: Date.now() });
    }
  });
  place.say(`${plans} plans, ${scans.length} that read a whole table`);
  for (const { table, statement, application, atMs } of scans) {
    const path = asked.find(({ untilMs }) => untilMs >= atMs)?.path;
    place.fail(`${application} reads all of ${table} at ${path}: ${statement}`);
  }
};

/** All of them, by several callers at once that share them out. */
const timeTogether = async (readers: readonly Reader[], paths: readonly string[]): Promise<number[]> => {
  const times: number[] = [];
  const waiting = [...paths];
  const readOn = async (reader: Reader): Promise<void> => {
    for (let path = waiting.pop(); path; path = waiting.pop()) times.push(await reader.time(path));
  };
  await Promise.all(readers.map(readOn));
  return times;
};

export const lists = async (place: Place): Promise<Result[]> => {
  const { sizes, say, defer } = place;
  const folder = place.keptDir ?? join(place.dataDir, "lists");
  const server = await startFilledServer({ folder, tasks: sizes.listed, settings: postgresSettings, say, defer });
  const client = await place.connect(server.url);
  const landmarks = await findLandmarks(client);
  await seeExecutors(client);
  const { port } = await place.startApi(server.url);
  const readers = await Promise.all(Array.from({ length: callers }, (_, n) => openReader(port, place.tokens[n] ?? "")));
  defer(async () => readers.forEach(({ close }) => void close()));
  const [reader] = readers as [Reader, ...Reader[]];

  say(`walking to page ${sizes.farPage} of each list`);
  const asked = readCasesOf(landmarks, place.match !== "").filter(({ path }) => path.includes(place.match));
  const walk = { number: sizes.farPage, file: server.notesFile, fail: place.fail };
  const cases = await walkAll(readers, asked, walk);
  const paths = cases.flatMap(({ path, far }) => [path, ...(far ? [far.path] : [])]);
  await checkPlans(place, reader, paths, { admin: client, logFile: server.logFile });

  await client.query("checkpoint");
  const timings: CaseTiming[] = [];
  for (const one of cases) {
    const timing = await timeCase(reader, one, sizes.reads);
    timings.push(timing);
    say(`${isWithinReach(timing) ? " " : "!"} ${describeTiming(timing)}`);
  }
  place.keepDetails(timings);
  const together = timesOf(await timeTogether(readers, Array(sizes.readsTogether).fill(paths).flat()));
  return [
    ...resultsByGroup(timings),
    lineOf(
      `all of these by ${callers} callers at once, p99`,
      `limit of ${maxP99Ms} ms for one`,
      together.p99Ms,
      maxP99Ms,
      callers,
    ),
  ];
};
