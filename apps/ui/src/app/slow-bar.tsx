// A thin bar for what takes long: what is known stays below it.
import { useIsFetching } from "@tanstack/react-query";
import classes from "./frame.module.css";

/** Its style lets it show only after a second: most answers are there long before. */
export const SlowBar = () =>
  useIsFetching() > 0 && <div role="progressbar" aria-label="Loading" className={classes.slow} />;
