// Search and jump: every screen, task and agent type by name, on `/` or Ctrl K.
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import "@mantine/spotlight/styles.layer.css";
import { IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { AgentAvatar } from "../components/agent-avatar.tsx";
import { assigneeName } from "../components/assignee-mark.tsx";
import { agentTypesQuery } from "../data/agent-type-data.ts";
import { useClient } from "../data/client-context.tsx";
import { allTasksQuery, queueQuery } from "../data/task-data.ts";
import { stateWord } from "../lib/task-words.ts";

const maxShown = 12;
const [store, palette] = createSpotlight();

const screens = [
  { to: "/tasks/new", label: "New task" },
  { to: "/", label: "Queue" },
  { to: "/tasks", label: "All tasks" },
  { to: "/agents", label: "Agents" },
  { to: "/organizations", label: "Organizations" },
  { to: "/executors", label: "Executors" },
  { to: "/insights", label: "Insights" },
  { to: "/respond", label: "Take a task" },
] as const;

/** Tasks are found among the loaded ones: the front of the queue and the newest. */
const usePaletteGroups = (): SpotlightActionGroupData[] => {
  const client = useClient();
  const navigate = useNavigate();
  const { data: queue } = useInfiniteQuery(queueQuery(client));
  const { data: newest } = useInfiniteQuery(allTasksQuery(client));
  const { data: agentTypes = [] } = useQuery(agentTypesQuery(client));
  const tasks = [...(queue?.pages ?? []), ...(newest?.pages ?? [])].flatMap(({ items }) => items);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return [
    {
      group: "Go to",
      actions: screens.map(({ to, label }) => ({ id: to, label, onClick: () => void navigate({ to }) })),
    },
    {
      group: "Tasks",
      actions: [...byId.values()].map((task) => ({
        id: task.id,
        label: task.title,
        description: `${stateWord(task)} · ${assigneeName(task)}`,
        onClick: () => void navigate({ to: "/tasks/$id", params: { id: task.id } }),
      })),
    },
    {
      group: "Agents",
      actions: agentTypes.map(({ id, slug, name, description }) => ({
        id,
        label: name,
        description,
        leftSection: <AgentAvatar slug={slug} px={24} />,
        onClick: () => void navigate({ to: "/agents/$id", params: { id } }),
      })),
    },
  ];
};

const Palette = ({ onClose }: { onClose: () => void }) => {
  const groups = usePaletteGroups();
  useEffect(() => palette.open(), []);
  return (
    <Spotlight
      store={store}
      actions={groups}
      limit={maxShown}
      shortcut={null}
      scrollable
      maxHeight={420}
      nothingFound="Nothing by that name is loaded."
      onSpotlightClose={onClose}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: "Search or jump…",
        "aria-label": "Search or jump",
      }}
    />
  );
};

export default Palette;
