// The insights before their first answer: frames of the final size.
import { Skeleton } from "@mantine/core";
import classes from "./insights-page.module.css";

const cards = ["a", "b", "c", "d", "e", "f", "g", "h"];

export const InsightsSkeleton = () => (
  <div className={classes.cards} aria-hidden>
    {cards.map((card) => (
      <Skeleton key={card} h={352} />
    ))}
  </div>
);
