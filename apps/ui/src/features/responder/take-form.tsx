// Chooses which tasks one would take, takes the next, and says that it waits where there is none.
import { Alert, Button, Group, Loader, MultiSelect, Paper, Select, Stack, Text } from "@mantine/core";
import { IconUserCheck } from "@tabler/icons-react";
import type { AgentTypeSummary, Handoff, Organization } from "@task-service/contract";
import { problemWords } from "../../lib/problem-words.ts";
import { agentTypeOptions, agentTypePath } from "./agent-type-options.ts";
import classes from "./respond-page.module.css";
import { useTaskTaking } from "./task-taking.ts";

export interface TakeFilter {
  /** Slug; empty for every one. */
  organization: string;
  /** Paths; none for every one. */
  agents: string[];
}

interface TakeFormProps {
  executor: string;
  organizations: readonly Organization[];
  agentTypes: readonly AgentTypeSummary[];
  filter: TakeFilter;
  onFilter: (filter: TakeFilter) => void;
  onTaken: (handoff: Handoff) => void;
}

export const TakeForm = ({ executor, organizations, agentTypes, filter, onFilter, onTaken }: TakeFormProps) => {
  const { organization, agents } = filter;
  const taking = useTaskTaking(executor, onTaken);
  const offered = agentTypes.filter(({ organization_slug }) => !organization || organization_slug === organization);
  const chosen = offered.filter((type) => agents.includes(agentTypePath(type)));
  const choose = (next: Partial<TakeFilter>) => onFilter({ ...filter, ...next });

  return (
    <Paper
      component="form"
      withBorder
      p="lg"
      maw={620}
      onSubmit={(event) => {
        event.preventDefault();
        taking.take({ organization, agentTypes: chosen });
      }}
    >
      <Stack>
        <Select
          label="Organization"
          placeholder="Every organization"
          data={organizations.map(({ slug, name }) => ({ value: slug, label: name }))}
          value={organization || null}
          onChange={(slug) =>
            choose({ organization: slug ?? "", agents: agents.filter((path) => !slug || path.startsWith(`${slug}/`)) })
          }
          clearable
          clearButtonProps={{ "aria-label": "Every organization" }}
          disabled={taking.isWaiting}
          comboboxProps={{ withinPortal: false }}
        />
        <MultiSelect
          label="Agent types"
          description="Whose tasks you would do. You get the persona to read."
          placeholder={agents.length === 0 ? "Every agent type" : ""}
          data={agentTypeOptions(offered)}
          value={agents}
          onChange={(paths) => choose({ agents: paths })}
          searchable
          clearable
          clearButtonProps={{ "aria-label": "Every agent type" }}
          nothingFoundMessage="No agent type by that name."
          disabled={taking.isWaiting}
          comboboxProps={{ withinPortal: false }}
        />
        {taking.error && (
          <Alert color="red" title="No task was taken">
            {problemWords(taking.error)}
          </Alert>
        )}
        <Group>
          {taking.isWaiting ? (
            <Button variant="default" onClick={taking.cancel} data-autofocus>
              Stop waiting
            </Button>
          ) : (
            <Button type="submit" leftSection={<IconUserCheck size={16} />} data-autofocus disabled={executor === ""}>
              Take the next task
            </Button>
          )}
        </Group>
        <Group role="status" gap="sm" wrap="nowrap" className={classes.waiting ?? ""}>
          {taking.isWaiting ? (
            <>
              <Loader size="sm" type="dots" aria-hidden />
              <Text>
                {taking.isTroubled
                  ? "The task service does not answer. Trying again…"
                  : "Waiting for the next task. It comes to you while this page is open."}
              </Text>
            </>
          ) : null}
        </Group>
      </Stack>
    </Paper>
  );
};
