// What the palette finds for some words: by name where all is known, by the service's search for tasks.
import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { SpotlightActionGroupData } from "@mantine/spotlight";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useAuth } from "react-oidc-context";
import { AgentAvatar } from "../components/agent-avatar.tsx";
import { assigneeName } from "../components/assignee-mark.tsx";
import { agentTypesKey, agentTypesQuery } from "../data/agent-type-data.ts";
import { useClient } from "../data/client-context.tsx";
import { organizationsKey, organizationsQuery } from "../data/organization-data.ts";
import { foundTasksQuery } from "../data/task-search-data.ts";
import { showNotice } from "../lib/notices.ts";
import { problemWords } from "../lib/problem-words.ts";
import { stateWord } from "../lib/task-words.ts";
import { screenList } from "./screen-list.ts";
import { signOut } from "./sign-out.ts";

const typingMs = 150;
const maxOfKind = 6;

const isMatch = (words: string, ...texts: string[]): boolean => {
  const text = texts.join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** What can be done from anywhere. */
const useDeeds = (onShowKeys: () => void) => {
  const auth = useAuth();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { toggleColorScheme } = useMantineColorScheme();
  const { data: organizations = [] } = useQuery(organizationsQuery(client));

  const sync = async (organization: string, name: string) => {
    try {
      await client.syncOrganization({ params: { organization } });
      showNotice({ message: `${name} is in step with its repository.` });
    } catch (error) {
      showNotice({ color: "red", title: `${name} was not synchronized`, message: problemWords(error) });
    }
    for (const queryKey of [organizationsKey, agentTypesKey]) void queries.invalidateQueries({ queryKey });
  };
  return [
    { id: "new-task", label: "New task", onClick: () => void navigate({ to: "/tasks/new" }) },
    ...organizations.map(({ id, name }) => ({
      id: `sync-${id}`,
      label: `Sync ${name} now`,
      description: "Reads its personas from the repository",
      onClick: () => void sync(id, name),
    })),
    { id: "theme", label: "Switch between light and dark", onClick: toggleColorScheme },
    { id: "keys", label: "Show all keys", onClick: onShowKeys },
    { id: "sign-out", label: "Sign out", onClick: () => void signOut(auth) },
  ];
};

export const usePaletteGroups = (
  typed: string,
  onShowKeys: () => void,
): { groups: SpotlightActionGroupData[]; isSearching: boolean } => {
  const client = useClient();
  const navigate = useNavigate();
  const words = typed.trim();
  const [asked] = useDebouncedValue(words, typingMs);
  const deeds = useDeeds(onShowKeys);
  const { data: agentTypes = [] } = useQuery(agentTypesQuery(client));
  const { data: organizations = [] } = useQuery(organizationsQuery(client));
  const tasks = useQuery(foundTasksQuery(client, asked));

  // Until the answer is there, of what was found before only what still fits.
  const isAnswered = asked === words && !tasks.isPlaceholderData;
  const found = (tasks.data ?? []).filter(({ title }) => isAnswered || isMatch(words, title));

  const groups = [
    {
      group: "Go to",
      actions: screenList
        .filter(({ label }) => isMatch(words, label))
        .map(({ to, label, icon: Icon }) => ({
          id: to,
          label,
          leftSection: <Icon size={20} stroke={1.75} aria-hidden />,
          onClick: () => void navigate({ to }),
        })),
    },
    {
      group: "Do",
      actions: deeds.filter(({ label }) => isMatch(words, label)).slice(0, words ? maxOfKind : undefined),
    },
    {
      group: words ? "Tasks" : "Newest tasks",
      actions: found.map((task) => ({
        id: task.id,
        label: task.title,
        description: `${stateWord(task)} · ${assigneeName(task)}`,
        onClick: () => void navigate({ to: "/tasks/$id", params: { id: task.id } }),
      })),
    },
    {
      group: "Agents",
      actions: agentTypes
        .filter((type) => words && isMatch(words, type.name, type.slug, type.organization_slug))
        .slice(0, maxOfKind)
        .map(({ id, slug, name, description, organization_slug }) => ({
          id,
          label: name,
          description: `${organization_slug} · ${description}`,
          leftSection: <AgentAvatar slug={slug} px={24} />,
          onClick: () => void navigate({ to: "/agents/$id", params: { id } }),
        })),
    },
    {
      group: "Organizations",
      actions: organizations
        .filter((organization) => words && isMatch(words, organization.name, organization.slug))
        .slice(0, maxOfKind)
        .map(({ id, name, slug }) => ({
          id,
          label: name,
          description: slug,
          onClick: () => void navigate({ to: "/agents", search: { organization: slug } }),
        })),
    },
  ];
  return {
    groups: groups.filter(({ actions }) => actions.length > 0),
    isSearching: tasks.isFetching || !isAnswered,
  };
};
