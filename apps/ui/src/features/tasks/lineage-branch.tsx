// One task in the line of follow-ups, and below it those that follow from it.
import { Anchor, Text } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { AgentAvatar } from "../../components/agent-avatar.tsx";
import { assigneeName } from "../../components/assignee-mark.tsx";
import { useIsPrinting } from "../../lib/printing.ts";
import type { LineNode } from "../../lib/task-line.ts";
import { countWord, stateWord } from "../../lib/task-words.ts";
import classes from "./lineage.module.css";

const maxSiblings = 10;

export interface LineView {
  /** The task whose page this is. */
  current: string;
  /** What the current one follows from, itself included: always in sight. */
  path: ReadonlySet<string>;
  /** A small line is unfolded as a whole. */
  isSmall: boolean;
}

/** The first ones, and always the one that leads to the current task. */
const firstOf = (nodes: readonly LineNode[], { path }: LineView) =>
  nodes.filter(({ task }, index) => index < maxSiblings || path.has(task.id));

export const LineageBranches = ({ nodes, view }: { nodes: readonly LineNode[]; view: LineView }) => {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? nodes : firstOf(nodes, view);
  const hidden = nodes.length - shown.length;
  return (
    <ul className={classes.branches}>
      {shown.map((node) => (
        <LineageBranch key={node.task.id} node={node} view={view} />
      ))}
      {hidden > 0 && (
        <li className={classes.more}>
          <Anchor component="button" type="button" size="sm" onClick={() => setIsWhole(true)}>
            Show {countWord(hidden)} more
          </Anchor>
        </li>
      )}
    </ul>
  );
};

const LineageBranch = ({ node, view }: { node: LineNode; view: LineView }) => {
  const { task, followUps } = node;
  const [isOpen, setIsOpen] = useState(view.isSmall || view.path.has(task.id));
  const isShown = useIsPrinting() || isOpen;
  const isCurrent = task.id === view.current;
  const tokens = task.input_tokens + task.output_tokens;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <div className={classes.node} data-current={isCurrent || undefined}>
        {followUps.length > 0 ? (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-label={`Follow-ups of ${task.title}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon size={14} aria-hidden />
          </button>
        ) : (
          <span className={classes.toggle} />
        )}
        <div className={classes.words}>
          <Link
            to="/tasks/$id"
            params={{ id: task.id }}
            className={classes.link ?? ""}
            aria-current={isCurrent ? "page" : undefined}
          >
            <bdi>{task.title}</bdi>
          </Link>
          <Text size="xs" c="dimmed" component="div" className={classes.about ?? ""}>
            {task.agent_type && <AgentAvatar slug={task.agent_type.slug} px={14} />}
            <bdi>{assigneeName(task)}</bdi>
            <span>· {stateWord(task)}</span>
            {tokens > 0 && <span>· {countWord(tokens)} tokens</span>}
            {followUps.length > 0 && !isShown && <span>· {countWord(followUps.length)} follow-ups</span>}
          </Text>
        </div>
      </div>
      {followUps.length > 0 && isShown && <LineageBranches nodes={followUps} view={view} />}
    </li>
  );
};
