// The button of the account menu: who is signed in.
import { IconUserCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ComponentPropsWithRef } from "react";
import { useClient } from "../data/client-context.tsx";
import { meQuery } from "../data/me-data.ts";
import classes from "./frame.module.css";

export const AccountButton = (props: ComponentPropsWithRef<"button">) => {
  const { data: me } = useQuery(meQuery(useClient()));
  return (
    <button
      type="button"
      aria-haspopup="menu"
      {...props}
      className={`${classes.item} ${classes.plain} ${classes.account}`}
      aria-label={`Account of ${me?.name}`}
    >
      <IconUserCircle size={20} stroke={1.75} aria-hidden />
      <span className={classes.label}>{me?.name}</span>
    </button>
  );
};
