// Where a person returns to after signing in: only ever a page of this application.

export const signedInPath = "/signed-in";

/** The path if it is one of ours, else the queue. A state that came back from the provider is not trusted. */
export const returnPath = (value: unknown): string => {
  if (typeof value !== "string" || !/^\/(?![/\\])/.test(value)) return "/";
  const { origin, pathname, search, hash } = new URL(value, window.location.origin);
  const isOurs = origin === window.location.origin && pathname !== signedInPath;
  return isOurs ? `${pathname}${search}${hash}` : "/";
};
