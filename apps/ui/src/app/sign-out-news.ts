// What the tabs of one browser tell each other about a session: that somebody ended it on purpose.

const channelName = "task-service sign-out";

/** Where browsers have no channels, a tab hears of it when its token cannot be renewed. */
const open = (): BroadcastChannel | null => ("BroadcastChannel" in window ? new BroadcastChannel(channelName) : null);

export const tellSignOut = (subject: string): void => {
  const channel = open();
  channel?.postMessage(subject);
  channel?.close();
};

/** Calls `onSignOut` with who signed out in another tab, until the returned function is called. */
export const whenSignedOut = (onSignOut: (subject: string) => void): (() => void) => {
  const channel = open();
  if (channel) channel.onmessage = ({ data }: MessageEvent<string>) => onSignOut(data);
  return () => channel?.close();
};
