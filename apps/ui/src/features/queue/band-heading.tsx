// Names the band of priorities that the first row in view is of, over the rows, so that the rows need no headings between them.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { PresetIcon } from "../../components/priority-mark.tsx";
import { useClient } from "../../data/client-context.tsx";
import { statsQuery } from "../../data/stats-data.ts";
import { type PresetName, presetOf } from "../../lib/priorities.ts";
import { countWord } from "../../lib/task-words.ts";
import classes from "./queue-list.module.css";

interface BandHeadingProps {
  /** The priority of the first row in view, at this moment. */
  look: () => number | undefined;
}

export const BandHeading = ({ look }: BandHeadingProps) => {
  const [name, setName] = useState<PresetName | null>(null);
  const { data: stats } = useQuery(statsQuery(useClient()));
  useEffect(() => {
    const see = () => {
      const priority = look();
      // What is not read yet keeps the name that was there.
      if (priority !== undefined) setName(presetOf(priority));
    };
    see();
    window.addEventListener("scroll", see, { passive: true });
    return () => window.removeEventListener("scroll", see);
  }, [look]);
  if (name === null) return <span className={classes.band} />;
  const count = stats?.by_priority
    .filter(({ priority }) => presetOf(priority) === name)
    .reduce((sum, { queued }) => sum + queued, 0);
  return (
    <h2 className={classes.band}>
      <PresetIcon name={name} />
      {name}
      {count !== undefined && count > 0 && <span className={classes.count}>{countWord(count)}</span>}
    </h2>
  );
};
