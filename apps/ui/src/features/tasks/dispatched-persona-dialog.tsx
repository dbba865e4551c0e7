// The persona a dispatch was handed over with, and what has changed in it since.
import { Anchor, Modal, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Dispatch } from "@task-service/contract";
import { useMemo, useState } from "react";
import { diffWords, LineDiffView } from "../../components/line-diff-view.tsx";
import { MarkdownText } from "../../components/markdown-text.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { agentTypeQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { dispatchedPersonaQuery } from "../../data/task-history-data.ts";
import { shortCommit } from "../../lib/git-words.ts";
import { lineDiff } from "../../lib/line-diff.ts";
import { type Persona, personaText } from "../../lib/persona-text.ts";

const Since = ({ id, then }: { id: string; then: Persona }) => {
  const query = useQuery(agentTypeQuery(useClient(), id));
  const lines = useMemo(
    () => (query.data ? lineDiff(personaText(then), personaText(query.data)) : []),
    [then, query.data],
  );
  const isSame = lines.every(({ kind }) => kind === "same");
  return (
    <QueryView query={query} name="the persona of today" skeleton={<Skeleton h={120} />}>
      {() => (
        <>
          <Text c="dimmed" size="sm" mb="xs">
            {isSame ? "It has not changed since." : `Since then: ${diffWords(lines)}.`}
          </Text>
          {!isSame && <LineDiffView lines={lines} />}
        </>
      )}
    </QueryView>
  );
};

const PersonaView = ({ dispatch }: { dispatch: Dispatch }) => {
  const query = useQuery(dispatchedPersonaQuery(useClient(), dispatch.id));
  const [view, setView] = useState("then");
  return (
    <QueryView query={query} name="the persona" skeleton={<Skeleton h={240} />}>
      {(persona) => (
        <Stack gap="sm">
          <Text size="sm">
            <Anchor renderRoot={(props) => <Link to="/agents/$id" params={{ id: persona.id }} {...props} />}>
              <bdi>{persona.name}</bdi>
            </Anchor>{" "}
            at{" "}
            <Anchor href={persona.source.html_url} target="_blank" rel="noreferrer">
              {shortCommit(persona.source.commit)}
            </Anchor>
            {": "}
            <bdi>{persona.description}</bdi>
          </Text>
          <SegmentedControl
            aria-label="What to show"
            value={view}
            onChange={setView}
            data={[
              { value: "then", label: "As dispatched" },
              { value: "since", label: "Changes since" },
            ]}
          />
          {view === "then" ? <MarkdownText text={persona.body} /> : <Since id={persona.id} then={persona} />}
        </Stack>
      )}
    </QueryView>
  );
};

interface DispatchedPersonaDialogProps {
  /** Null while it is closed. */
  dispatch: Dispatch | null;
  onClose: () => void;
}

export const DispatchedPersonaDialog = ({ dispatch, onClose }: DispatchedPersonaDialogProps) => (
  <Modal
    opened={dispatch !== null}
    onClose={onClose}
    size="xl"
    title={`The persona of attempt ${dispatch?.attempt ?? ""}`}
  >
    {dispatch && <PersonaView dispatch={dispatch} />}
  </Modal>
);
