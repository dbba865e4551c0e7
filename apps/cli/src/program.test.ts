// What holds for all commands: settings and their order, exit codes, sentences, help, completion.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { createFleet } from "../../api/test/factories.ts";
import { startTestApp, type TestApp } from "../../api/test/test-app.ts";
import { callCli } from "../test/cli-call.ts";
import { runCli, temporaryFolder } from "../test/cli-process.ts";
import { createProgram } from "./program.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

const list = (environment: NodeJS.ProcessEnv) => callCli(["list"], environment);
const client = { OIDC_CLIENT_ID: "executor", OIDC_CLIENT_SECRET: "executor-secret" };

/** The address of a server that answers everything like this. */
const answering = async (status: number, body: string, type = "application/json"): Promise<string> => {
  const server = createServer((_, response) => response.writeHead(status, { "content-type": type }).end(body));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe("a token comes from", () => {
  test("TASK_SERVICE_TOKEN, or a file", async () => {
    const file = join(await temporaryFolder(), "token");
    await writeFile(file, `${app.token}\n`);
    const TASK_SERVICE_URL = app.baseUrl;
    expect((await list({ TASK_SERVICE_URL, TASK_SERVICE_TOKEN: app.token })).code).toBe(0);
    expect((await runCli(["list"], { TASK_SERVICE_URL, TASK_SERVICE_TOKEN: app.token })).code).toBe(0);
    expect((await list({ TASK_SERVICE_URL, TASK_SERVICE_TOKEN_FILE: file })).code).toBe(0);
    expect((await list({ TASK_SERVICE_URL, TASK_SERVICE_TOKEN_FILE: `${file}.gone` })).code).toBe(3);
  });

  test("the client credentials that the executor has", async () => {
    const environment = { TASK_SERVICE_URL: app.baseUrl, OIDC_ISSUER: inject("issuer"), ...client };
    expect((await list(environment)).code).toBe(0);
    expect((await list({ ...environment, OIDC_CLIENT_SECRET: "wrong" })).code).toBe(3);
    expect(await list({ ...environment, OIDC_ISSUER: "" })).toMatchObject({
      code: 78,
      error: expect.stringContaining("OIDC_ISSUER is not set"),
    });
  });

  test("what npm start left, if nothing else says so", async () => {
    const folder = await temporaryFolder();
    await mkdir(folder, { recursive: true });
    const lines = { TASK_SERVICE_URL: app.baseUrl, OIDC_ISSUER: inject("issuer"), ...client };
    const content = Object.entries(lines).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
    await writeFile(join(folder, "executor.env"), content.join(""));
    expect((await list({ DATA_DIR: folder })).code).toBe(0);
    expect((await list({ DATA_DIR: folder, TASK_SERVICE_URL: app.baseUrl })).code).toBe(0);
    expect((await list({ DATA_DIR: folder, TASK_SERVICE_URL: "http://127.0.0.1:9/api" })).code).toBe(3);
  });
});

describe("ends with", () => {
  test("3 when the service refuses the token, and says what to do", async () => {
    const { code, out, error } = await list({ TASK_SERVICE_URL: app.baseUrl, TASK_SERVICE_TOKEN: "no" });
    expect([code, out, error]).toEqual([3, "", expect.stringContaining("task-service login")]);
  });

  test("4 when nobody answers, or somebody else does", async () => {
    const token = { TASK_SERVICE_TOKEN: "x" };
    expect(await list({ TASK_SERVICE_URL: "http://127.0.0.1:9", ...token })).toMatchObject({
      code: 4,
      error: expect.stringMatching(/^The service cannot be reached: .+\n$/),
    });
    const TASK_SERVICE_URL = await answering(200, "<h1>Hello</h1>", "text/html");
    expect(await list({ TASK_SERVICE_URL, ...token })).toMatchObject({
      code: 4,
      error: expect.stringContaining("TASK_SERVICE_URL"),
    });
  });

  test.for([
    [200, "null"],
    [204, ""],
    [200, '"pong"'],
    [200, '{"items":null,"next_cursor":null}'],
    [200, '{"items":[{"name":"of another API"}],"next_cursor":null,"id":"x","task":{}}'],
    [404, '{"code":404,"message":"No such route"}'],
    [422, '{"code":"invalid","detail":"no","title":"no","errors":"many"}'],
  ] as const)("4 and one sentence when another service answers %i %s", async ([status, body]) => {
    const environment = { TASK_SERVICE_URL: await answering(status, body), TASK_SERVICE_TOKEN: "x" };
    const id = "0199aa10-7c4e-7b6e-9d0a-3f2a51d8c001";
    // That there is nothing to take is told by 204, or null.
    const next = status === 204 || body === "null" ? [] : [["next", "--json"]];
    for (const args of [["list"], ["list", "--json"], ["show", id], ["show", id, "--json"], ...next]) {
      expect(await callCli(args, environment), args.join(" ")).toEqual({
        code: 4,
        out: "",
        error: expect.stringMatching(
          /^[^\n]+ does not answer as the task service does\. Is TASK_SERVICE_URL right\?\n$/,
        ),
      });
    }
  });

  test("4 and the status when what stands before the service is in trouble, which is no fault of the address", async () => {
    for (const [body, type] of [["<h1>Bad Gateway</h1>", "text/html"], ['{"message":"no upstream"}']] as const) {
      const environment = { TASK_SERVICE_URL: await answering(502, body, type), TASK_SERVICE_TOKEN: "x" };
      const { code, error } = await list(environment);
      expect([code, error]).toEqual([4, expect.stringMatching(/^The service, or something before it, .*502.*\n$/)]);
      expect(error).not.toContain("TASK_SERVICE_URL");
    }
  });

  test("78 for a damaged login and for a token of two lines, of which nothing is told", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "task-service"));
    await writeFile(join(folder, "task-service", "logins.json"), '{"access_token":"SECRET');
    const settings = [{ XDG_CONFIG_HOME: folder }, { TASK_SERVICE_TOKEN: "SECRET\nSECRET" }];
    for (const setting of settings) {
      const { code, error } = await list({ TASK_SERVICE_URL: app.baseUrl, ...setting });
      expect([code, error]).toEqual([78, expect.not.stringContaining("SECRET")]);
    }
  });

  test("78 when a setting cannot be used, 3 without any", async () => {
    expect((await list({ TASK_SERVICE_TOKEN: "x" })).code).toBe(78);
    expect((await list({ TASK_SERVICE_TOKEN: "x", TASK_SERVICE_URL: "ftp://x" })).code).toBe(78);
    expect((await list({ TASK_SERVICE_TOKEN: "x", TASK_SERVICE_URL: "http://user:pw@x/api" })).code).toBe(78);
    expect(await list({})).toMatchObject({ code: 3, error: expect.stringContaining("task-service login ADDRESS") });
  });

  test("a sentence, however long the values are that it is about", async () => {
    const long = "x".repeat(20_000);
    const signedIn = { TASK_SERVICE_URL: app.baseUrl, TASK_SERVICE_TOKEN: app.token };
    const wrong: [string[], NodeJS.ProcessEnv][] = [
      [["list"], { ...signedIn, TASK_SERVICE_URL: `ftp://${long}` }],
      [["list"], { TASK_SERVICE_URL: `http://tasks.example/${long}` }],
      [["list", "-a", long], signedIn],
      [["list", "-n", long], signedIn],
      [["list", `--${long}`], signedIn],
      [[long], signedIn],
      [["show", long], signedIn],
      [["login", `http://127.0.0.1:9/${long}`], {}],
      [["login", "http://127.0.0.1:9", "--issuer", `http://127.0.0.1:9/${long}`], {}],
      [["personas", "lint", long], {}],
      [["run", "--name", long, "--", "true"], signedIn],
    ];
    for (const [args, environment] of wrong) {
      const { code, error } = await callCli(args, environment);
      expect(code, args.join(" ").slice(0, 80)).not.toBe(0);
      expect(error.length, error.slice(0, 200)).toBeLessThan(600);
    }
  });

  test("1 and one sentence that names the field when the service refuses", async () => {
    const signedIn = { TASK_SERVICE_URL: app.baseUrl, TASK_SERVICE_TOKEN: app.token };
    const { code, error } = await callCli(["list", "-n", "1000"], signedIn);
    expect([code, error]).toEqual([1, expect.stringMatching(/^.*limit.*200.*\.\n$/)]);
    expect((await callCli(["list", "-n", "many"], signedIn)).code).toBe(2);
    expect((await callCli(["list", "--state", "done"], signedIn)).code).toBe(2);
  });
});

test("--help names every command and what it is for, --version the version", async () => {
  const { code, out } = await runCli(["--help"], {});
  expect(code).toBe(0);
  for (const command of (await createProgram()).commands) {
    if (command.name().startsWith("_")) expect(out).not.toContain(command.name());
    else expect(out).toMatch(new RegExp(`\\n +${command.name()} +${command.description()}\\n`));
  }
  expect(await callCli(["--version"], {})).toEqual({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    error: "",
  });
});

test("every command has an example in its help, and no secret is taken as an argument", async () => {
  const program = await createProgram();
  const leaves = program.commands.flatMap((one) => (one.commands.length > 0 ? one.commands : [one]));
  expect(leaves.length).toBeGreaterThan(15);
  for (const command of leaves) {
    let help = "";
    command.configureOutput({ writeOut: (part) => (help += part) }).outputHelp();
    expect(help, command.name()).toMatch(/Examples?\b[\s\S]*task-service/);
    expect(command.options.map(({ long }) => long)).not.toContain("--token");
  }
});

/** What the bash script offers for these words; `before` are lines of bash. */
const completer =
  (script: string, before = "", cwd = "/") =>
  async (...words: string[]): Promise<string[]> => {
    const lines = `${before}\n${script}\nCOMP_WORDS=(task-service ${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length}\n_task_service\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const child = spawn("bash", ["-c", lines], { stdio: ["ignore", "pipe", "inherit"], cwd });
    return (await text(child.stdout)).trim().split("\n");
  };

describe("completion", () => {
  test("for bash offers names from the service, settled values, and files with blanks", async () => {
    const { out } = await callCli(["completion", "bash"], {});
    const folder = await temporaryFolder();
    await writeFile(join(folder, "my prompt *.md"), "");
    // As in the bash of macOS, which has no mapfile.
    const before = `enable -n mapfile readarray\ntask-service() { [ "$1" = __complete ] && echo "acme/$2"; }`;
    const complete = completer(out, before, folder);
    expect(await complete("create", "--agent-type", "ac")).toEqual(["acme/agent-types"]);
    expect(await complete("list", "-o", "")).toEqual(["acme/organizations"]);
    expect(await complete("list", "-a", "other")).toEqual([""]);
    expect(await complete("list", "--state", "q")).toEqual(["queued"]);
    expect(await complete("completion", "z")).toEqual(["zsh"]);
    expect(await complete("create", "--file", "my")).toEqual(["my prompt *.md"]);
  });

  test("asks the service for names, and says nothing where there is none or no answer", async () => {
    const fleet = await createFleet(app, ["namer"]);
    const { slug } = fleet.organization;
    const ask = (what: string, environment: NodeJS.ProcessEnv) => runCli(["__complete", what], environment);
    const signedIn = { TASK_SERVICE_URL: app.baseUrl, TASK_SERVICE_TOKEN: app.token };
    expect((await callCli(["__complete", "agent-types", "--within", "60000"], signedIn)).out).toContain(
      `${slug}/namer\n`,
    );
    expect((await callCli(["__complete", "organizations", "--within", "60000"], signedIn)).out).toContain(`${slug}\n`);
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const silent = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const nothing = { code: 0, out: "", error: "" };
    expect(await ask("agent-types", {})).toEqual(nothing);
    expect(await ask("agent-types", { ...signedIn, TASK_SERVICE_URL: silent })).toEqual(nothing);
    const grant = { TASK_SERVICE_URL: silent, OIDC_ISSUER: silent, ...client };
    expect(await ask("organizations", grant)).toEqual(nothing);
  });

  test("for bash completes commands, their options, and the command below a command", async () => {
    const { out } = await runCli(["completion", "bash"], {});
    const complete = completer(out);
    expect(await complete("re")).toEqual(["requeue", "release", "respond"]);
    expect(await complete("create", "--pri")).toEqual(["--priority"]);
    expect(await complete("personas", "li")).toEqual(["lint"]);
    expect(await complete("personas", "lint", "--j")).toEqual(["--json"]);
  });

  test("for zsh and fish names every command; another shell is wrong use", async () => {
    for (const shell of ["zsh", "fish"]) {
      const { code, out } = await callCli(["completion", shell], {});
      expect(code).toBe(0);
      const names = (await createProgram()).commands.map((one) => one.name()).filter((name) => !name.startsWith("_"));
      for (const name of names) expect(out).toContain(name);
    }
    expect((await callCli(["completion", "csh"], {})).code).toBe(2);
  });
});
