// How many tasks are queued, beside the way to the queue.
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../data/client-context.tsx";
import { queueLengthQuery } from "../data/queue-length-data.ts";
import { countWord } from "../lib/task-words.ts";
import classes from "./frame.module.css";

/** The queue's own screen says it to the last task; here it must fit beside an icon. */
const tooLong = 10_000;
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 0 });

export const QueueLength = () => {
  const { data: count = 0 } = useQuery(queueLengthQuery(useClient()));
  // The link is called "Queue"; the screen says the number in its head.
  return (
    count > 0 && (
      <span className={`${classes.count} tabular`} aria-hidden>
        {count < tooLong ? countWord(count) : short.format(count)}
      </span>
    )
  );
};
