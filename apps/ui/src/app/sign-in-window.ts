// Signing in again in a window of its own, so that the page with its half-typed text stays as it is.
import type { OidcClient } from "oidc-client-ts";

const windowMark = "window";
const channelName = "task-service sign-in";

const markOf = (state: string | null): string | undefined => state?.split(";")[1];

/** In the window that comes back from the provider: hands the answer to the page that waits for it. True if it is one. */
export const handOverSignIn = ({ href }: Location): boolean => {
  if (markOf(new URL(href).searchParams.get("state")) !== windowMark) return false;
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(href);
  channel.close();
  window.close();
  return true;
};

const untilAnswered = (url: string): Promise<string> => {
  const state = new URL(url).searchParams.get("state");
  const channel = new BroadcastChannel(channelName);
  return new Promise((resolve) => {
    // Only who asked knows the secret that belongs to an answer; others' answers are not for this page.
    channel.onmessage = ({ data }: MessageEvent<string>) => {
      if (new URL(data).searchParams.get("state") !== state) return;
      channel.close();
      resolve(data);
    };
  });
};

/** The address the provider sent the person back to. Undefined if the browser lets no window open. */
export const askInWindow = async (client: OidcClient): Promise<string | undefined> => {
  // Opened before anything is waited for: later, browsers take it for an advertisement.
  const opened = window.open("", "_blank", "popup,width=480,height=640");
  if (!opened) return undefined;
  try {
    const { url } = await client.createSigninRequest({ request_type: "si:r", url_state: windowMark });
    const answered = untilAnswered(url);
    opened.location.replace(url);
    return await answered;
  } catch (error) {
    opened.close();
    throw error;
  }
};
