// Shown in place of a screen that broke; the frame around it still works.
import { Button } from "@mantine/core";
import { IconMoodSad } from "@tabler/icons-react";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { QuietPage } from "../components/quiet-page.tsx";
import { problemWords } from "../lib/problem-words.ts";

export const ErrorPage = ({ error, reset }: ErrorComponentProps) => (
  <QuietPage
    icon={<IconMoodSad />}
    title="This screen broke"
    actions={
      <>
        <Button onClick={reset}>Try again</Button>
        <Button variant="default" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </>
    }
  >
    {problemWords(error)}
  </QuietPage>
);
