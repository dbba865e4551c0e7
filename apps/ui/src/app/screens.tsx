// Every address of the application and the screen it shows.
import { createRootRoute, createRoute, createRouter, type RouterHistory, RouterProvider } from "@tanstack/react-router";
import { lazy, useState } from "react";
import { QueuePage } from "../features/queue/queue-page.tsx";
import type { NewTaskStart } from "../features/tasks/new-task-page.tsx";
import { ErrorPage } from "./error-page.tsx";
import { Frame } from "./frame.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { ScreenArea } from "./screen-area.tsx";

const AllTasksPage = lazy(() => import("../features/tasks/all-tasks-page.tsx"));
const NewTaskPage = lazy(() => import("../features/tasks/new-task-page.tsx"));
const TaskPage = lazy(() => import("../features/tasks/task-page.tsx"));
const AgentsPage = lazy(() => import("../features/agents/agents-page.tsx"));
const AgentTypePage = lazy(() => import("../features/agents/agent-type-page.tsx"));
const OrganizationsPage = lazy(() => import("../features/organizations/organizations-page.tsx"));

const root = createRootRoute({ component: Frame });
// The root puts its children into a boundary of its own; the area needs the screens in its.
const area = createRoute({ getParentRoute: () => root, id: "area", component: ScreenArea });

const queue = createRoute({
  getParentRoute: () => area,
  path: "/",
  validateSearch: ({ view }: Record<string, unknown>): { view?: "dispatched" } =>
    view === "dispatched" ? { view } : {},
  component: () => <QueuePage view={queue.useSearch().view ?? "queue"} />,
});
const allTasks = createRoute({ getParentRoute: () => area, path: "/tasks", component: () => <AllTasksPage /> });
const newTask = createRoute({
  getParentRoute: () => area,
  path: "/tasks/new",
  validateSearch: ({ parent, agent, from }: Record<string, unknown>): NewTaskStart => ({
    ...(typeof parent === "string" && { parent }),
    ...(typeof agent === "string" && { agent }),
    ...(typeof from === "string" && { from }),
  }),
  component: () => {
    const start = newTask.useSearch();
    return <NewTaskPage key={JSON.stringify(start)} {...start} />;
  },
});
const task = createRoute({
  getParentRoute: () => area,
  path: "/tasks/$id",
  component: () => {
    const { id } = task.useParams();
    return <TaskPage key={id} id={id} />;
  },
});
const agents = createRoute({ getParentRoute: () => area, path: "/agents", component: () => <AgentsPage /> });
const agentType = createRoute({
  getParentRoute: () => area,
  path: "/agents/$id",
  validateSearch: ({ version }: Record<string, unknown>): { version?: string } =>
    typeof version === "string" ? { version } : {},
  component: () => {
    const { id } = agentType.useParams();
    const { version } = agentType.useSearch();
    return <AgentTypePage key={id} id={id} {...(version && { version })} />;
  },
});
const organizations = createRoute({
  getParentRoute: () => area,
  path: "/organizations",
  validateSearch: ({ create }: Record<string, unknown>): { create?: true } => (create ? { create: true } : {}),
  component: () => <OrganizationsPage isCreating={organizations.useSearch().create ?? false} />,
});

const routeTree = root.addChildren([
  area.addChildren([queue, allTasks, newTask, task, agents, agentType, organizations]),
]);

const createScreens = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: ErrorPage,
    scrollRestoration: true,
    ...(history && { history }),
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createScreens>;
  }
}

/** `history` takes the place of the browser's in tests. */
export const Screens = ({ history }: { history?: RouterHistory }) => {
  const [router] = useState(() => createScreens(history));
  return <RouterProvider router={router} />;
};
