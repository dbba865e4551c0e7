// The dot in the frame's bar: how this page stands with the service, and why on hover and focus.
import { type Connection, useConnection } from "../data/connection.ts";
import classes from "./connection-sign.module.css";

const words: Record<Connection, { name: string; why: string }> = {
  connecting: { name: "Connecting", why: "The live connection is being made." },
  live: { name: "Live", why: "Changes show here as they happen." },
  reconnecting: {
    name: "Reconnecting",
    why: "The live connection was lost and is being made again. Until then, what you see is asked for every two seconds.",
  },
  polling: {
    name: "Polling",
    why: "There is no live connection. What you see is asked for every two seconds, and the connection is tried again.",
  },
  offline: {
    name: "Offline",
    why: "The task service cannot be reached. What you see may be old; it is asked for again by itself.",
  },
};

export const ConnectionSign = () => {
  const shown = useConnection();
  const { name, why } = words[shown];
  return (
    <>
      <button type="button" className={classes.sign} data-connection={shown} aria-label={`${name}: ${why}`}>
        <span className={classes.dot} aria-hidden />
        <span className={classes.name}>{name}</span>
        <span className={classes.why} aria-hidden>
          {why}
        </span>
      </button>
      <span role="status" className={classes.heard}>
        {shown === "polling" || shown === "offline" ? `${name}. ${why}` : ""}
      </span>
    </>
  );
};
