// Where the screens appear: a skeleton until a screen's code is there, then the focus moves to it and what comes next is fetched.
import { Outlet, useMatches } from "@tanstack/react-router";
import { Suspense, useEffect, useRef } from "react";
import { ScreenSkeleton } from "../components/screen-skeleton.tsx";
import { useIdleWarming } from "./idle-warming.ts";

/** The field that asks for the focus, else the heading, which says where one is now. */
const focusTargets = ["main [data-autofocus]", "main h1", "main"];

/** Stands beside the screen, inside its boundary, so that its effect runs once the screen itself is shown. */
const ScreenFocus = () => {
  const shown = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  const focused = useRef(shown);
  useEffect(() => {
    // On the first screen the focus is where the browser has put it.
    if (focused.current === shown) return;
    focused.current = shown;
    const target = focusTargets.map((selector) => document.querySelector<HTMLElement>(selector)).find(Boolean);
    target?.focus({ preventScroll: true });
  }, [shown]);
  return null;
};

/** Inside the boundary for the same reason. */
const IdleWarming = () => {
  useIdleWarming();
  return null;
};

export const ScreenArea = () => (
  <Suspense fallback={<ScreenSkeleton />}>
    <Outlet />
    <ScreenFocus />
    <IdleWarming />
  </Suspense>
);
