// The frame round every screen: navigation, the bar with search and connection, and keys.
import { Kbd } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { HeaderPlaceProvider } from "../components/header-place.tsx";
import { useKeyBindings } from "../lib/key-bindings.ts";
import { Account } from "./account.tsx";
import { ConnectionSign } from "./connection-sign.tsx";
import classes from "./frame.module.css";
import { Navigation } from "./navigation.tsx";
import { screenList } from "./screen-list.ts";
import { SlowBar } from "./slow-bar.tsx";

const KeysDialog = lazy(() => import("./keys-dialog.tsx"));
const Palette = lazy(() => import("./palette.tsx"));

export const Frame = () => {
  const navigate = useNavigate();
  const [isSearching, setIsSearching] = useState(false);
  const [isShowingKeys, setIsShowingKeys] = useState(false);
  const [titlePlace, setTitlePlace] = useState<HTMLElement | null>(null);
  const [actionPlace, setActionPlace] = useState<HTMLElement | null>(null);
  const places = titlePlace && actionPlace && { title: titlePlace, action: actionPlace };

  useKeyBindings(
    {
      ...Object.fromEntries(screenList.map(({ to, keys }) => [keys, () => void navigate({ to })])),
      c: () => void navigate({ to: "/tasks/new" }),
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
        <Navigation />
        <Account onShowKeys={() => setIsShowingKeys(true)} />
      </nav>
      <main id="screen" className={classes.screen} tabIndex={-1}>
        <div className={classes.bar}>
          <div className={classes.title} ref={setTitlePlace} />
          <div className={classes.tools}>
            <button
              type="button"
              className={classes.search}
              aria-keyshortcuts="Control+K"
              onClick={() => setIsSearching(true)}
            >
              <IconSearch size={16} stroke={1.75} aria-hidden />
              <span className={classes.searchWords}>Search or jump…</span>
              <Kbd aria-hidden size="xs" className={classes.key ?? ""}>
                Ctrl K
              </Kbd>
            </button>
            <ConnectionSign />
          </div>
          <div className={classes.action} ref={setActionPlace} />
        </div>
        <SlowBar />
        <HeaderPlaceProvider value={places}>{places && <Outlet />}</HeaderPlaceProvider>
      </main>
      <Suspense fallback={null}>
        {isSearching && <Palette onClose={() => setIsSearching(false)} onShowKeys={() => setIsShowingKeys(true)} />}
        {isShowingKeys && <KeysDialog isOpen onClose={() => setIsShowingKeys(false)} />}
      </Suspense>
    </div>
  );
};
