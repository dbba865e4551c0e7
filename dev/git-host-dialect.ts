// Where Gitea 1.27 and Forgejo 12 answer differently (shared/git-host/CONTRACT.md); in all else they are the same.

export type Dialect = "gitea" | "forgejo";
export const dialects: readonly Dialect[] = ["gitea", "forgejo"];

interface Manners {
  version: string;
  /** What an `Authorization` header must look like; the token is the first group. */
  credentials: RegExp;
  /** Of the 401 for a wrong token. */
  refusal: string;
  /** The status for a path with `.git` in it. */
  malformedPath: number;
  /** Whether an empty repository lists its folders as empty; else they are missing. */
  listsEmptyRepository: boolean;
  /** Whether a webhook tells that an issue was deleted. */
  tellsDeletions: boolean;
  /** Prefixes of the webhooks' headers beyond those that both send. */
  headerPrefixes: readonly string[];
  /** Whether webhooks have the two Hook-Installation-Target-Type headers. */
  namesTargetType: boolean;
}

export const manners: Record<Dialect, Manners> = {
  gitea: {
    version: "1.27.1",
    credentials: /^(?:token|bearer) (.*)$/i,
    refusal: "invalid username, password or token",
    malformedPath: 400,
    listsEmptyRepository: false,
    tellsDeletions: true,
    headerPrefixes: [],
    namesTargetType: true,
  },
  forgejo: {
    version: "12.0.0+gitea-1.22.0",
    credentials: /^(?:token|[Bb][Ee][Aa][Rr][Ee][Rr]) (.*)$/,
    refusal: "user does not exist [uid: 0, name: ]",
    malformedPath: 500,
    listsEmptyRepository: true,
    tellsDeletions: false,
    headerPrefixes: ["X-Forgejo"],
    namesTargetType: false,
  },
};

export const notFound = "not found";

/** The body of an answer that refuses. */
export const problemBody = (dialect: Dialect, root: string, status: number, message: string) => {
  const url = `${root}/api/swagger`;
  if (dialect === "gitea" || status !== 404) return { message, url };
  return { message: "The target couldn't be found.", url, errors: message === notFound ? [] : [message] };
};
