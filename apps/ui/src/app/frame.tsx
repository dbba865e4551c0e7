// The frame round every screen: navigation and keys.
import { Kbd } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useKeyBindings } from "../lib/key-bindings.ts";
import classes from "./frame.module.css";
import { KeysDialog } from "./keys-dialog.tsx";
import { LiveSign } from "./live-sign.tsx";
import { Navigation } from "./navigation.tsx";

const AccountMenu = lazy(() => import("./account-menu.tsx"));
const Palette = lazy(() => import("./palette.tsx"));

export const Frame = () => {
  const navigate = useNavigate();
  const [isSearching, setIsSearching] = useState(false);
  const [isShowingKeys, setIsShowingKeys] = useState(false);

  useKeyBindings(
    {
      c: () => void navigate({ to: "/tasks/new" }),
      "g q": () => void navigate({ to: "/" }),
      "g t": () => void navigate({ to: "/tasks" }),
      "g a": () => void navigate({ to: "/agents" }),
      "g o": () => void navigate({ to: "/organizations" }),
      "g e": () => void navigate({ to: "/executors" }),
      "g i": () => void navigate({ to: "/insights" }),
      "/": () => setIsSearching(true),
      "?": () => setIsShowingKeys(true),
    },
    { isFallback: true },
  );
  // Unlike the single keys, it works from inside a field too.
  useHotkeys([["mod+K", () => setIsSearching(true)]], []);

  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#screen">
        Skip to the content
      </a>
      <nav className={classes.side} aria-label="Screens">
        <div className={classes.brand}>
          <img src="/favicon.svg" alt="" width={24} height={24} />
          <span className={classes.label}>Tasks</span>
        </div>
        <button type="button" className={`${classes.item} ${classes.search}`} onClick={() => setIsSearching(true)}>
          <IconSearch size={20} stroke={1.75} aria-hidden />
          <span className={classes.label}>Search</span>
          <Kbd aria-hidden className={classes.key ?? ""}>
            /
          </Kbd>
        </button>
        <Navigation />
        <LiveSign />
        <Suspense fallback={<div className={classes.item} />}>
          <AccountMenu onShowKeys={() => setIsShowingKeys(true)} />
        </Suspense>
      </nav>
      <main id="screen" className={classes.screen} tabIndex={-1}>
        <Outlet />
      </main>
      {isSearching && (
        <Suspense fallback={null}>
          <Palette onClose={() => setIsSearching(false)} />
        </Suspense>
      )}
      <KeysDialog isOpen={isShowingKeys} onClose={() => setIsShowingKeys(false)} />
    </div>
  );
};
