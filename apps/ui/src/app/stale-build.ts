// Reloads a page whose code is no longer on the server because a newer build has taken its place.

const key = "reloaded-at";
const minIntervalMs = 60_000;

/** At most once a minute: a file that is missing for another reason must not make the page reload for ever. */
export const reloadWhenStale = (): void =>
  window.addEventListener("vite:preloadError", (event) => {
    if (Date.now() - Number(sessionStorage.getItem(key)) < minIntervalMs) return;
    sessionStorage.setItem(key, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
