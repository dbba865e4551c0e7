// Starts the application in the page: settings, session, client, then the screens.
import "@fontsource-variable/inter";
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./app/page.css";
import { createClient } from "@task-service/contract";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { createSession } from "./app/session.ts";
import { handOverSignIn } from "./app/sign-in-window.ts";
import { reloadWhenStale } from "./app/stale-build.ts";
import { styleNonce } from "./app/style-nonce.ts";
import { loadSettings } from "./app/ui-settings.ts";
import { browserSharing, createLiveEvents } from "./data/live-events.ts";
import { createQueryClient } from "./data/query-client.ts";
import { applyDensity } from "./lib/density.ts";

reloadWhenStale();
applyDensity();
const element = document.getElementById("root");
if (!element) throw new Error("index.html has no #root");

const start = async () => {
  const settings = await loadSettings();
  const session = createSession(settings);
  const access = { baseUrl: settings.api_base, token: session.token };
  const client = createClient(access);
  const live = createLiveEvents({ ...access, sharing: browserSharing() });
  const queryClient = createQueryClient({ onUnauthenticated: session.doubt, isLive: live.isUp });

  createRoot(element).render(
    <StrictMode>
      <App session={session} client={client} live={live} queryClient={queryClient} styleNonce={styleNonce()} />
    </StrictMode>,
  );
};

if (handOverSignIn(window.location)) element.textContent = "You are signed in. This window can be closed.";
else await start();
