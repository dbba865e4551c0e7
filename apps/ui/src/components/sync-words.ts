// Says the state of an organization's synchronization in a few plain words.
import type { Sync } from "@task-service/contract";

const words: Record<Sync["status"], string> = {
  never: "Never synchronized",
  ok: "In step with its repository",
  not_configured: "Repository missing",
  partial: "Some files were refused",
  failed: "Synchronization failed",
};

export const syncWord = ({ status }: Sync): string => words[status];

/** Something a person should look at. */
export const isSyncTrouble = ({ status }: Sync): boolean => status === "partial" || status === "failed";
