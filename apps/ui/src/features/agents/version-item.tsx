// One version of an agent type in its history: when it came and from where, and on request what it changed.
import { Anchor, Box, Text } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { AgentTypeVersion } from "@task-service/contract";
import { useEffect, useMemo, useRef } from "react";
import { diffWords, LineDiffView } from "../../components/line-diff-view.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { shortCommit } from "../../lib/git-words.ts";
import { type DiffLine, lineDiff } from "../../lib/line-diff.ts";
import { personaText } from "../../lib/persona-text.ts";
import classes from "./version-history.module.css";

interface VersionItemProps {
  version: AgentTypeVersion;
  /** The one it followed; without it, it is the first. */
  before?: AgentTypeVersion;
  isOpen: boolean;
}

/** The first one came whole. */
const linesOf = (version: AgentTypeVersion, before: AgentTypeVersion | undefined): DiffLine[] =>
  before
    ? lineDiff(personaText(before), personaText(version))
    : personaText(version)
        .split("\n")
        .map((text) => ({ kind: "added", text }));

export const VersionItem = ({ version, before, isOpen }: VersionItemProps) => {
  const navigate = useNavigate();
  const item = useRef<HTMLLIElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // Whoever comes by a link looks for it; whoever opens it by hand has it in view.
    if (isOpen && !wasOpen.current && !item.current?.contains(document.activeElement))
      item.current?.scrollIntoView({ block: "nearest" });
    wasOpen.current = isOpen;
  }, [isOpen]);

  const lines = useMemo(() => linesOf(version, before), [before, version]);
  const words = before ? diffWords(lines) : "First version";
  const toggle = () =>
    navigate({
      to: "/agents/$id",
      params: { id: version.agent_type_id },
      search: isOpen ? {} : { version: version.id },
      replace: true,
      resetScroll: false,
    });

  return (
    <li ref={item} className={classes.version}>
      <div className={classes.head}>
        <button type="button" className={classes.toggle} aria-expanded={isOpen} onClick={toggle}>
          {words}
        </button>
        <Text size="sm" c="dimmed" component="span">
          <RelativeTime at={version.first_seen_at} />
          {" · "}
          <Anchor href={version.source.html_url} target="_blank" rel="noreferrer" size="sm">
            {shortCommit(version.source.commit)} <IconExternalLink size={12} aria-hidden />
          </Anchor>
        </Text>
      </div>
      {isOpen && (
        <Box my={6}>
          <LineDiffView lines={lines} />
        </Box>
      )}
    </li>
  );
};
