// Short notices in a corner of the page; what draws them is loaded with the first one.
import type { NotificationData } from "@mantine/notifications";

const load = () => import("@mantine/notifications");
const listeners = new Set<() => void>();
let isUsed = false;

/** For `useSyncExternalStore`: whether there ever was a notice. */
export const noticesUsed = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => isUsed,
};

/** Answers what {@link hideNotice} takes. */
export const showNotice = (notice: NotificationData): string => {
  const id = crypto.randomUUID();
  isUsed = true;
  for (const listener of listeners) listener();
  void load().then(({ notifications }) => notifications.show({ id, ...notice }));
  return id;
};

export const hideNotice = (id: string): void => void load().then(({ notifications }) => notifications.hide(id));
