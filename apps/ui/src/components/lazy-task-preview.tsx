// The preview beside a list, loaded when the first one is opened.
import { lazy, Suspense } from "react";
import type { TaskPreviewProps } from "./task-preview.tsx";

const TaskPreview = lazy(() => import("./task-preview.tsx"));

export const LazyTaskPreview = (props: TaskPreviewProps) => (
  <Suspense fallback={null}>
    <TaskPreview {...props} />
  </Suspense>
);
