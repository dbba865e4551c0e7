// The way to each screen: a column on the left, icons on narrower windows, a bar at the bottom of a phone.
import { Link } from "@tanstack/react-router";
import classes from "./frame.module.css";
import { barCount, screenList } from "./screen-list.ts";

export const Navigation = () => (
  <ul className={classes.screens}>
    {screenList.map(({ to, label, icon: Icon, isExact }, at) => (
      <li key={to} data-more={at >= barCount || undefined}>
        <Link
          to={to}
          className={classes.item ?? ""}
          activeOptions={{ exact: isExact, includeSearch: false }}
          title={label}
        >
          <Icon size={20} stroke={1.75} aria-hidden />
          <span className={classes.label}>{label}</span>
        </Link>
      </li>
    ))}
  </ul>
);
