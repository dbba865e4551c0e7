// Where notices appear, once there is one.
import { lazy, Suspense, useSyncExternalStore } from "react";
import { noticesUsed } from "../lib/notices.ts";

// What is shown before it is there waits in its store.
const Notifications = lazy(async () => ({ default: (await import("@mantine/notifications")).Notifications }));

export const Notices = () =>
  useSyncExternalStore(noticesUsed.subscribe, noticesUsed.read) && (
    <Suspense fallback={null}>
      <Notifications position="bottom-right" />
    </Suspense>
  );
