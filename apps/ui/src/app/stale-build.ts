// Reloads a page whose code is no longer on the server because a newer build has taken its place.

const key = "reloaded-at";
const minIntervalMs = 60_000;

const isServerThere = (): Promise<boolean> =>
  fetch("/", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * At most once a minute: a file that is missing for another reason must not make the page reload for ever. Never while
 * the server is away: what is on screen is better than the browser's page about a lost connection.
 */
export const reloadWhenStale = (): void =>
  window.addEventListener("vite:preloadError", async () => {
    if (Date.now() - Number(sessionStorage.getItem(key)) < minIntervalMs) return;
    if (!(await isServerThere())) return;
    sessionStorage.setItem(key, String(Date.now()));
    window.location.reload();
  });
