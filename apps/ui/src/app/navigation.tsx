// The way to each screen: a column on the left, icons on narrower windows, a bar at the bottom of a phone.
import { IconDots } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import classes from "./frame.module.css";
import { QueueLength } from "./queue-length.tsx";
import { barCount, screenList } from "./screen-list.ts";

/** Only a phone's bar shows some of them in a popover; a browser that knows none shows them all. */
const closeMore = ({ currentTarget }: MouseEvent<HTMLElement>) =>
  currentTarget.closest<HTMLElement>("[popover]")?.hidePopover?.();

const Item = ({ to, label, icon: Icon, isExact }: (typeof screenList)[number]) => (
  <li>
    <Link
      to={to}
      className={classes.item ?? ""}
      activeOptions={{ exact: isExact, includeSearch: false }}
      title={label}
      onClick={closeMore}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
      <span className={classes.label}>{label}</span>
      {to === "/" && <QueueLength />}
    </Link>
  </li>
);

export const Navigation = () => (
  <ul className={classes.screens}>
    {screenList.slice(0, barCount).map((one) => (
      <Item key={one.to} {...one} />
    ))}
    <li className={classes.more}>
      <button type="button" className={`${classes.item} ${classes.plain}`} popoverTarget="more-screens">
        <IconDots size={20} stroke={1.75} aria-hidden />
        <span className={classes.label}>More</span>
      </button>
      <ul id="more-screens" popover="auto" className={classes.moreScreens} aria-label="More screens">
        {screenList.slice(barCount).map((one) => (
          <Item key={one.to} {...one} />
        ))}
      </ul>
    </li>
  </ul>
);
