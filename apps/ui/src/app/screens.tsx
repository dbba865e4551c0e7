// Every address of the application and the screen it shows.
import { createRootRoute, createRoute, createRouter, type RouterHistory, RouterProvider } from "@tanstack/react-router";
import { lazy, useState } from "react";
import type { AgentsSearch } from "../features/agents/agent-search.ts";
import { type InsightsSearch, isInsightRange } from "../features/insights/insight-ranges.ts";
import { QueuePage } from "../features/queue/queue-page.tsx";
import type { RespondSearch } from "../features/responder/respond-page.tsx";
import type { NewTaskStart } from "../features/tasks/new-task-page.tsx";
import { parseSearch, stringifySearch } from "../lib/address-search.ts";
import { isId } from "../lib/ids.ts";
import { type ListPlace, placeFromSearch } from "../lib/list-place.ts";
import { filtersFromSearch, searchFromFilters, type TaskFilterSearch } from "../lib/task-filters.ts";
import { ErrorPage } from "./error-page.tsx";
import { Frame } from "./frame.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { ScreenArea } from "./screen-area.tsx";

const AllTasksPage = lazy(() => import("../features/task-list/all-tasks-page.tsx"));
const NewTaskPage = lazy(() => import("../features/tasks/new-task-page.tsx"));
const TaskPage = lazy(() => import("../features/tasks/task-page.tsx"));
const AgentsPage = lazy(() => import("../features/agents/agents-page.tsx"));
const AgentTypePage = lazy(() => import("../features/agents/agent-type-page.tsx"));
const OrganizationsPage = lazy(() => import("../features/organizations/organizations-page.tsx"));
const ExecutorsPage = lazy(() => import("../features/executors/executors-page.tsx"));
const InsightsPage = lazy(() => import("../features/insights/insights-page.tsx"));
const RespondPage = lazy(() => import("../features/responder/respond-page.tsx"));

const root = createRootRoute({ component: Frame });
// The root puts its children into a boundary of its own; the area needs the screens in its.
const area = createRoute({ getParentRoute: () => root, id: "area", component: ScreenArea });

interface QueueSearch extends TaskFilterSearch, ListPlace {
  view?: "dispatched";
}
const queue = createRoute({
  getParentRoute: () => area,
  path: "/",
  validateSearch: (search: Record<string, unknown>): QueueSearch => ({
    ...searchFromFilters(filtersFromSearch(search)),
    ...(search["view"] === "dispatched" && { view: "dispatched" }),
    ...placeFromSearch(search),
  }),
  component: () => {
    const { view = "queue", ...search } = queue.useSearch();
    return <QueuePage view={view} filters={filtersFromSearch({ ...search })} place={placeFromSearch({ ...search })} />;
  },
});
const allTasks = createRoute({
  getParentRoute: () => area,
  path: "/tasks",
  validateSearch: (search: Record<string, unknown>): TaskFilterSearch & ListPlace => ({
    ...searchFromFilters(filtersFromSearch(search)),
    ...placeFromSearch(search),
  }),
  component: () => {
    const search = allTasks.useSearch();
    return <AllTasksPage filters={filtersFromSearch({ ...search })} place={placeFromSearch({ ...search })} />;
  },
});
const newTask = createRoute({
  getParentRoute: () => area,
  path: "/tasks/new",
  validateSearch: ({ parent, agent, from }: Record<string, unknown>): NewTaskStart => ({
    ...(isId(parent) && { parent }),
    ...(isId(agent) && { agent }),
    ...(isId(from) && { from }),
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
const agents = createRoute({
  getParentRoute: () => area,
  path: "/agents",
  validateSearch: ({ q, organization }: Record<string, unknown>): AgentsSearch => ({
    ...(typeof q === "string" && q && { q }),
    ...(typeof organization === "string" && organization && { organization }),
  }),
  component: () => <AgentsPage {...agents.useSearch()} />,
});
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

const executors = createRoute({
  getParentRoute: () => area,
  path: "/executors",
  component: () => <ExecutorsPage />,
});

const insights = createRoute({
  getParentRoute: () => area,
  path: "/insights",
  validateSearch: ({ range, organization }: Record<string, unknown>): InsightsSearch => ({
    ...(isInsightRange(range) && { range }),
    ...(typeof organization === "string" && organization && { organization }),
  }),
  component: () => <InsightsPage {...insights.useSearch()} />,
});

const respond = createRoute({
  getParentRoute: () => area,
  path: "/respond",
  validateSearch: ({ dispatch, organization, agent }: Record<string, unknown>): RespondSearch => ({
    ...(isId(dispatch) && { dispatch }),
    ...(typeof organization === "string" && organization && { organization }),
    ...(typeof agent === "string" && agent && { agent }),
  }),
  component: () => <RespondPage {...respond.useSearch()} />,
});

/** A screen like the others: the focus goes to it, and from it to the next. */
const nowhere = createRoute({ getParentRoute: () => area, path: "$", component: NotFoundPage });

const routeTree = root.addChildren([
  area.addChildren([
    queue,
    allTasks,
    newTask,
    task,
    agents,
    agentType,
    organizations,
    executors,
    insights,
    respond,
    nowhere,
  ]),
]);

const createScreens = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: ErrorPage,
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
    // A screen hears of its address only what was found right.
    search: { strict: true },
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
