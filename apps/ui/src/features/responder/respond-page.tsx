// "Take a task": a person is an executor like any other, with one task in hand at a time.
import { Anchor, List, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Dispatch } from "@task-service/contract";
import { useEffect } from "react";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { meQuery } from "../../data/me-data.ts";
import { organizationsQuery } from "../../data/organization-data.ts";
import { heldDispatchesQuery } from "../../data/responder-data.ts";
import { DeskPage } from "./desk-page.tsx";
import { TakeForm } from "./take-form.tsx";
import { webExecutorName } from "./web-executor.ts";

export interface RespondSearch {
  /** The dispatch in hand. */
  dispatch?: string;
  /** Slug of an organization. */
  organization?: string;
  /** Paths of agent types, with commas between them. */
  agent?: string;
}

const Held = ({ dispatches }: { dispatches: readonly Dispatch[] }) => (
  <section aria-labelledby="held">
    <Text component="h2" id="held" fw={600} mb="xs">
      Still in your hands
    </Text>
    <List mb="lg">
      {dispatches.map(({ id, dispatched_at }) => (
        <List.Item key={id}>
          <Anchor renderRoot={(props) => <Link to="/respond" search={{ dispatch: id }} {...props} />}>
            The task you took <RelativeTime at={dispatched_at} />
          </Anchor>
        </List.Item>
      ))}
    </List>
  </section>
);

const RespondPage = ({ dispatch, organization = "", agent = "" }: RespondSearch) => {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery(client));
  const executor = me ? webExecutorName(me.name) : "";
  const held = useQuery(heldDispatchesQuery(client, executor));
  const organizations = useQuery(organizationsQuery(client));
  const agentTypes = useQuery(agentTypesQuery(client));
  const mine = held.data?.filter(({ actor }) => actor.sub === me?.sub) ?? [];
  const filter = { ...(organization && { organization }), ...(agent && { agent }) };
  const open = (id: string, isReplacing = false) =>
    navigate({ to: "/respond", search: { ...filter, dispatch: id }, replace: isReplacing });

  const [only, ...others] = mine;
  const found = !dispatch && only && others.length === 0 ? only.id : undefined;
  // A page that was closed or reloaded finds the task it had.
  useEffect(() => {
    if (found) void open(found, true);
  });

  const leave = () => {
    queries.removeQueries({ queryKey: heldDispatchesQuery(client, executor).queryKey });
    void navigate({ to: "/respond", search: filter });
  };
  if (dispatch) return <DeskPage key={dispatch} id={dispatch} onLeave={leave} />;
  return (
    <>
      <PageHeader title="Take a task" numbers="Work on what is queued, as an executor like any other." />
      <QueryView query={held} name="what you have in hand" skeleton={<ScreenSkeleton hasTitle />}>
        {() => (
          <>
            {mine.length > 0 && <Held dispatches={mine} />}
            <TakeForm
              executor={executor}
              organizations={organizations.data ?? []}
              agentTypes={agentTypes.data ?? []}
              filter={{ organization, agents: agent.split(",").filter(Boolean) }}
              onFilter={(next) =>
                navigate({
                  to: "/respond",
                  search: {
                    ...(next.organization && { organization: next.organization }),
                    ...(next.agents.length > 0 && { agent: next.agents.join(",") }),
                  },
                  replace: true,
                })
              }
              onTaken={({ dispatch: taken }) => open(taken.id)}
            />
            <Text size="sm" c="dimmed" mt="lg" maw={620}>
              A task you take is yours while its page is open. If you close the page, it returns to its place in the
              queue five minutes later. Others see you as <bdi>{executor}</bdi>.
            </Text>
          </>
        )}
      </QueryView>
    </>
  );
};

export default RespondPage;
