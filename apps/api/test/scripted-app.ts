// An API on a git host that answers what a test tells it to, for the tests of a whole file.
import { afterAll, afterEach, beforeAll } from "vitest";
import { type ScriptedGitHost, startScriptedGitHost } from "./scripted-git-host.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "./test-app.ts";

export interface ScriptedApp {
  gitHost: ScriptedGitHost;
  app: TestApp;
  /** Another replica on its database; the test that starts it closes it. */
  startReplica(): Promise<TestApp>;
}

/** To be called at the top of a test file: both are there once its tests run. The host is honest again after each test. */
export const useScriptedApp = (options: TestAppOptions = {}): ScriptedApp => {
  const scripted = {
    startReplica: () => startTestApp({ env: { GIT_URL: scripted.gitHost.url }, beside: scripted.app }),
  } as ScriptedApp;
  beforeAll(async () => {
    scripted.gitHost = await startScriptedGitHost();
    scripted.app = await startTestApp({ ...options, env: { GIT_URL: scripted.gitHost.url, ...options.env } });
  });
  afterEach(() => scripted.gitHost.answerWith(() => false));
  afterAll(async () => {
    await scripted.app.close();
    await scripted.gitHost.stop();
  });
  return scripted;
};
