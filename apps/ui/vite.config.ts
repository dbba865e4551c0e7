// How the UI is built, and how Vitest runs its component tests.
import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressionPlugin } from "./compression-plugin.ts";

/** What every screen needs is one file: it compresses better, and a new build of ours leaves it cached. */
const everyScreen = /node_modules\/(?:react|react-dom|scheduler|@tanstack|oidc-client-ts|react-oidc-context)\//;

/** Parts of the kit that several screens share. */
const kit = /node_modules\/(?:@mantine|@floating-ui|@tabler)\//;

/**
 * Small parts of ours that most screens show: apart, each would be a file of a few hundred bytes that hardly compresses.
 * Drafts are for screens where something is written, and the first one is none.
 */
const shared = /apps\/ui\/src\/(?:lib|data|components)\/(?!kept-draft|send-once)/;

export default defineConfig(({ command }) => {
  // Whoever starts everything from a test passes on `test`, with which React's files for development would be built.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: import.meta.dirname,
    // 186 kB of a library whose work is done where requests are checked, by the API.
    resolve: { alias: { typebox: path.join(import.meta.dirname, "typebox-stub.ts") } },
    plugins: [react(), compressionPlugin()],
    // The policy allows fonts and styles from this origin only, so nothing is inlined as a data address.
    build: {
      target: "esnext",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: "frame", test: everyScreen },
              { name: "kit", test: kit, minShareCount: 9 },
              { name: "shared", test: shared, minShareCount: 3 },
            ],
          },
        },
      },
    },
    // A flow through several screens takes its time on a busy machine.
    test: { environment: "happy-dom", setupFiles: ["./src/testing/setup.ts"], css: false, testTimeout: 20_000 },
  };
});
