// Shown in place of a screen that broke, or whose code a newer version of the service has replaced.
import { Button } from "@mantine/core";
import { IconMoodSad, IconRefresh } from "@tabler/icons-react";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { QuietPage } from "../components/quiet-page.tsx";

/** Browsers have no name for it: Chromium, Firefox and Safari each say it in their words. */
const isMissingCode = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|preload CSS/i.test(error.message);

const reload = () => window.location.reload();

export const ErrorPage = ({ error, reset }: ErrorComponentProps) =>
  isMissingCode(error) ? (
    <QuietPage
      icon={<IconRefresh />}
      title="This screen could not be loaded"
      actions={<Button onClick={reload}>Reload the page</Button>}
    >
      There may be a newer version of the task service, or the connection was lost for a moment.
    </QuietPage>
  ) : (
    <QuietPage
      icon={<IconMoodSad />}
      title="This screen broke"
      actions={
        <>
          <Button onClick={reset}>Try again</Button>
          <Button variant="default" onClick={reload}>
            Reload the page
          </Button>
        </>
      }
    >
      There is a fault in the page; your tasks are not harmed. It says:{" "}
      <bdi>{error instanceof Error ? error.message : String(error)}</bdi>
    </QuietPage>
  );
