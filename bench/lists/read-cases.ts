// What is asked: every list, each filter alone and with state and organization, searches, counts, positions, numbers, history.
import { doneLabel, goneCreator, labels, people, rareCreator, rareLabel } from "../filling/crowd.ts";
import { markedWords, rareWord } from "../filling/prompt-source.ts";
import type { Landmarks } from "./landmarks.ts";

export interface ReadCase {
  /** What its figure counts for. */
  group: string;
  path: string;
  /** Its answer is a page, and there may be more. */
  isPaged: boolean;
}

const filtersOf = (at: Landmarks): string[] => [
  "state=queued",
  "state=dispatched",
  "live=true",
  "live=false",
  `organization=${at.largeOrganization}`,
  `organization=${at.quietOrganization}`,
  `organization=${at.largeOrganization}&organization=${at.quietOrganization}`,
  "assignee_type=agent",
  "assignee_type=user",
  `assignee=${at.largeAgentType}`,
  `assignee=${at.quietAgentType}`,
  `assignee=${people[0]}`,
  `assignee=${at.quietAgentType}&assignee=${people[1]}`,
  `label=${labels[0]}`,
  `label=${rareLabel}`,
  `label=${doneLabel}`,
  `label=${labels[1]}&label=${labels[30]}`,
  `parent_id=${at.largeRoot}`,
  `root_id=${at.largeRoot}`,
  "created_by=creator-0",
  `created_by=${rareCreator}`,
  `created_by=${goneCreator}`,
  "created_by=nobody",
  "needs_attention=true",
  "needs_attention=false",
  "git_state=open",
  "git_state=closed",
  "git_state=merged",
  "git_state=unreadable",
  "priority_min=50",
  "priority_max=-50",
  "priority_min=5&priority_max=20",
  "priority_min=900",
  "priority_min=-10",
];

/** Words of every frequency, as beginnings too; several; none there; two letters; the number that one title has. */
const searches = [
  ...Object.keys(markedWords),
  rareWord,
  "freq",
  "ba",
  `${Object.keys(markedWords).join("%20")}`,
  `frequent%20${rareWord}`,
  "common%20ban",
  "uncommon%20s",
  "100777",
  "absentword",
].map((words) => `q=${words}`);

const join = (...parts: string[]): string => parts.filter((part) => part !== "").join("&");
const has = (filter: string, name: string): boolean => filter.startsWith(`${name}=`);

/** A filter in all the company that is asked for; none twice. */
const inCompany = (
  filter: string,
  name: string,
  { largeOrganization }: Landmarks,
): { group: string; query: string }[] => {
  const organization = has(filter, "organization") ? "" : `organization=${largeOrganization}`;
  const states = has(filter, "state") ? [] : ["state=queued", "state=dispatched"];
  return [
    { group: `${name} alone`, query: filter },
    ...states.map((state) => ({ group: `${name} with state`, query: join(filter, state) })),
    ...(organization ? [{ group: `${name} with organization`, query: join(filter, organization) }] : []),
    ...(organization ? states : []).map((state) => ({
      group: `${name} with state and organization`,
      query: join(filter, state, organization),
    })),
  ];
};

/** Those that ids do not tell. */
const ownOrders = ["-updated_at", "queue"];
const sorts = ["created_at", ...ownOrders];

/** With `isDeep` filters in company are followed to far pages too, which takes an hour for all of them. */
export const readCasesOf = (at: Landmarks, isDeep: boolean): ReadCase[] => {
  const page = (group: string, path: string): ReadCase => ({ group, path, isPaged: true });
  const single = (group: string, path: string): ReadCase => ({ group, path, isPaged: false });
  const filters = filtersOf(at);
  const companies = [
    ...filters.flatMap((filter) => inCompany(filter, "filter", at)),
    ...searches.flatMap((search) => inCompany(search, "search", at)),
  ];
  return [
    page("all tasks, by each sort", "/tasks"),
    ...sorts.map((sort) => page("all tasks, by each sort", `/tasks?sort=${sort}`)),
    ...companies.map(({ group, query }) => ({
      ...page(`tasks: ${group}`, `/tasks?${query}`),
      isPaged: isDeep || !group.includes(" with "),
    })),
    ...filters.flatMap((filter) =>
      ownOrders.map((sort) => ({
        ...page(`tasks: filter, sort=${sort}`, `/tasks?${filter}&sort=${sort}`),
        isPaged: isDeep,
      })),
    ),
    ...searches.flatMap((search) =>
      sorts.map((sort) => ({
        ...page(`tasks: search, sort=${sort}`, `/tasks?${search}&sort=${sort}`),
        isPaged: isDeep,
      })),
    ),
    ...companies.map(({ group, query }) => single(`count: ${group.replace(/ .*/, "")}`, `/tasks/count?${query}`)),
    single("count: all", "/tasks/count"),
    ...[at.firstInQueue, at.midQueue, at.lastInQueue, at.liveTask, at.endedTask].flatMap((id) => [
      single("position", `/tasks/${id}/position`),
      single("one task", `/tasks/${id}`),
    ]),
    ...[at.endedTask, at.notedTask].flatMap((id) => [
      page("of one task", `/tasks/${id}/events`),
      page("of one task", `/tasks/${id}/notes`),
      single("of one task", `/tasks/${id}/dispatches`),
    ]),
    single("numbers", "/stats"),
    ...["minute", "hour", "day"].map((step) => single("numbers", `/stats/history?step=${step}`)),
    ...["agent_type", "organization", "day", "root", "executor"].map((by) =>
      single("numbers", `/stats/usage?group_by=${by}`),
    ),
    ...[
      "",
      `organization=${at.largeOrganization}`,
      `organization=${at.quietOrganization}`,
      `task=${at.endedTask}`,
      "type=task.dispatched",
      "type=task.disconnected",
      "type=task.created&type=task.noted",
      "type=agents.synced",
      `type=task.finished&organization=${at.largeOrganization}`,
      `type=task.lost&organization=${at.quietOrganization}`,
    ].map((query) => page("events", `/events?${query}`)),
    ...[
      "",
      "live=true",
      "live=false",
      `executor=${at.executor}`,
      `executor=${at.executor}&live=true`,
      "executor=nobody",
      `task=${at.endedTask}`,
    ].map((query) => page("dispatches", `/dispatches?${query}`)),
    single("dispatches", `/dispatches/${at.liveDispatch}`),
    page("executors", "/executors"),
    ...[
      "",
      `organization=${at.largeOrganization}`,
      "is_active=true",
      "is_active=false",
      "slug=agent-type-7",
      "q=type",
    ].map((query) => page("agent types", `/agent-types?${query}`)),
    single("agent types", `/agent-types/${at.largeAgentType}`),
    page("organizations", "/organizations"),
    page("organizations", "/organizations?q=9"),
    single("organizations", `/organizations/${at.largeOrganization}`),
  ];
};
