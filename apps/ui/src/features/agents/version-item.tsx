// One version of an agent type in its history: when it came and from where, and on request what it changed.
import { Anchor, Text } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { AgentTypeVersion } from "@task-service/contract";
import { useEffect, useMemo, useRef } from "react";
import { RelativeTime } from "../../components/relative-time.tsx";
import { shortCommit } from "../../lib/git-words.ts";
import { diffParts, lineDiff } from "../../lib/line-diff.ts";
import { countWord } from "../../lib/task-words.ts";
import classes from "./version-history.module.css";

interface VersionItemProps {
  version: AgentTypeVersion;
  /** The one it followed; without it, it is the first. */
  before?: AgentTypeVersion;
  isOpen: boolean;
}

const documentOf = ({ name, description, body }: AgentTypeVersion) =>
  `name: ${name}\ndescription: ${description}\n\n${body.trimStart()}`;

const lineWord = (count: number) => `${countWord(count)} ${count === 1 ? "line" : "lines"}`;

const signs = { same: "", added: "+", removed: "−" } as const;
const elements = { same: "div", added: "ins", removed: "del" } as const;

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

  const lines = useMemo(() => (before ? lineDiff(documentOf(before), documentOf(version)) : []), [before, version]);
  const count = (kind: "added" | "removed") => lines.filter((line) => line.kind === kind).length;
  const changed = `${lineWord(count("added"))} added, ${countWord(count("removed"))} removed`;
  const words = !before ? "First version" : count("added") + count("removed") === 0 ? "The same text" : changed;
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
        <div className={classes.change}>
          {!before && <div className={classes.line}>{documentOf(version)}</div>}
          {diffParts(lines).map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: versions never change, so their parts keep their places.
            <div key={at}>
              {part.skipped > 0 && <div className={classes.skipped}>{lineWord(part.skipped)} the same</div>}
              {part.lines.map(({ kind, text }, line) => {
                const Line = elements[kind];
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <Line key={line} className={classes.line} dir="auto">
                    <span className={classes.sign} aria-hidden>
                      {signs[kind]}
                    </span>
                    {text}
                  </Line>
                );
              })}
            </div>
          ))}
        </div>
      )}
    </li>
  );
};
