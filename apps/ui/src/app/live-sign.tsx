// Says quietly that the live connection is lost, once that lasts.
import { IconCloudOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useIsLive } from "../data/live-updates.tsx";
import classes from "./frame.module.css";

const lastingMs = 10_000;

export const LiveSign = () => {
  const isLive = useIsLive();
  const [isLasting, setIsLasting] = useState(false);
  useEffect(() => {
    if (isLive) return;
    const timer = setTimeout(() => setIsLasting(true), lastingMs);
    return () => {
      clearTimeout(timer);
      setIsLasting(false);
    };
  }, [isLive]);
  const isShown = isLasting && !isLive;
  return (
    <div
      role="status"
      className={classes.live}
      title={
        isShown ? "The live connection is lost. Until it is back, what you see is asked for every two seconds." : ""
      }
    >
      {isShown && (
        <>
          <IconCloudOff size={16} stroke={1.75} aria-hidden />
          <span className={classes.label}>{navigator.onLine ? "Reconnecting…" : "Offline"}</span>
        </>
      )}
    </div>
  );
};
