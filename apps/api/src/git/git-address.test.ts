// Addresses on the git host (D-10, D-12, D-30): the few that are taken, and the many that only look alike. Pure.
import { describe, expect, test } from "vitest";
import { parseGitLink, parseRepositoryUrl, repositoryUrl } from "./git-address.ts";

const gitUrl = "https://git.example:3000/base";

describe("a repository's address", () => {
  test.each([
    `${gitUrl}/acme/acme-agents`,
    `${gitUrl}/acme/acme-agents/`,
    `${gitUrl}/acme/acme-agents.git`,
    "HTTPS://GIT.example:3000/base/acme/acme-agents",
  ])("%s is taken apart and rebuilt", (address) => {
    const repository = parseRepositoryUrl(gitUrl, address);
    expect(repository).toEqual({ owner: "acme", repo: "acme-agents" });
    expect(repository && repositoryUrl(gitUrl, repository)).toBe(`${gitUrl}/acme/acme-agents`);
  });

  test("needs no base path on a host without one", () => {
    expect(parseRepositoryUrl("https://git.example", "https://git.example:443/a/b")).toEqual({ owner: "a", repo: "b" });
  });
});

describe("an issue's or pull request's address", () => {
  test.each([
    ["issues", "issue"],
    ["pulls", "pull_request"],
  ])("below %s is taken apart", (path, kind) => {
    const url = `${gitUrl}/acme/website.v2/${path}/1234567890`;
    const link = { url, kind, owner: "acme", repo: "website.v2", number: 1_234_567_890 };
    expect(parseGitLink(gitUrl, `${url}/`)).toEqual(link);
  });
});

const host = "https://git.example:3000";
const elsewhere = [
  ["another host", "https://evil.example/base/a/b/issues/1"],
  ["another port", "https://git.example:3001/base/a/b/issues/1"],
  ["no port", "https://git.example/base/a/b/issues/1"],
  ["another scheme", "http://git.example:3000/base/a/b/issues/1"],
  ["no web address", "ssh://git@git.example:3000/base/a/b/issues/1"],
  ["a script", "javascript:alert(1)"],
  ["no scheme", "//git.example:3000/base/a/b/issues/1"],
  ["a path alone", "/base/a/b/issues/1"],
  ["one slash", "https:/git.example:3000/base/a/b/issues/1"],
  ["three slashes", "https:///git.example:3000/base/a/b/issues/1"],
  ["a host that only begins alike", "https://git.example.evil.example:3000/base/a/b/issues/1"],
  ["a host with a dot at its end", "https://git.example.:3000/base/a/b/issues/1"],
  ["user info", "https://git.example:3000@evil.example/base/a/b/issues/1"],
  ["user info on our host", "https://user:secret@git.example:3000/base/a/b/issues/1"],
  ["an empty user", "https://@git.example:3000/base/a/b/issues/1"],
  ["another base path", `${host}/a/b/issues/1`],
  ["a base path that only begins alike", `${host}/based/a/b/issues/1`],
  ["dot segments", `${gitUrl}/a/b/../c/issues/1`],
  ["dot segments out of the base path", `${gitUrl}/../base/a/b/issues/1`],
  ["a single dot", `${gitUrl}/./a/b/issues/1`],
  ["encoded dot segments", `${gitUrl}/a/%2e%2e/b/issues/1`],
  ["an encoded slash", `${gitUrl}/a/b%2Fc/issues/1`],
  ["a backslash", `${gitUrl}\\a\\b\\issues\\1`],
  ["a backslash before the host", "https:\\\\git.example:3000/base/a/b/issues/1"],
  ["a doubled slash", `${gitUrl}//a/b/issues/1`],
  ["a query", `${gitUrl}/a/b/issues/1?x=1`],
  ["an empty query", `${gitUrl}/a/b/issues/1?`],
  ["a fragment", `${gitUrl}/a/b/issues/1#issuecomment-5`],
  ["a space in front", ` ${gitUrl}/a/b/issues/1`],
  ["a line break inside", `${gitUrl}/a/b/is\nsues/1`],
  ["a tab in the host", "https://git.exa\tmple:3000/base/a/b/issues/1"],
  ["a control character at the end", `${gitUrl}/a/b/issues/1\u0001`],
  ["an invisible character in the host", "https://git.exam\u00adple:3000/base/a/b/issues/1"],
  ["wide letters in the host", "https://ｇit.example:3000/base/a/b/issues/1"],
  ["a letter of another script", `${gitUrl}/аcme/b/issues/1`],
  ["an owner that is too long", `${gitUrl}/${"a".repeat(101)}/b/issues/1`],
] as const;

const ofNoIssue = [
  ["number 0", `${gitUrl}/a/b/issues/0`],
  ["a number with a 0 in front", `${gitUrl}/a/b/issues/01`],
  ["a negative number", `${gitUrl}/a/b/issues/-1`],
  ["a number in another base", `${gitUrl}/a/b/issues/0x1`],
  ["a number too long", `${gitUrl}/a/b/issues/12345678901`],
  ["no number", `${gitUrl}/a/b/issues`],
  ["a page below", `${gitUrl}/a/b/pulls/1/files`],
  ["another kind", `${gitUrl}/a/b/releases/1`],
  ["another case", `${gitUrl}/a/b/Issues/1`],
] as const;

test.each([...elsewhere, ...ofNoIssue])("%s names no issue: %j", (_, address) => {
  expect(parseGitLink(gitUrl, address)).toBeUndefined();
});

test.each(elsewhere)("%s names no repository", (_, address) => {
  expect(parseRepositoryUrl(gitUrl, address.replace(/[/\\]issues[/\\]1/, ""))).toBeUndefined();
});

test.each([`${gitUrl}/acme`, `${gitUrl}/acme/.git`, `${gitUrl}/acme/..`, `${gitUrl}/a/b/c`, gitUrl, ""])(
  "%j names no repository",
  (address) => {
    expect(parseRepositoryUrl(gitUrl, address)).toBeUndefined();
  },
);
