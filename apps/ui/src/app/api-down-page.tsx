// Shown when the API does not answer before the first screen; it keeps trying.
import { Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { QuietPage } from "../components/quiet-page.tsx";
import { problemWords } from "../lib/problem-words.ts";

interface ApiDownPageProps {
  error: Error;
  onRetry: () => void;
  isRetrying: boolean;
}

export const ApiDownPage = ({ error, onRetry, isRetrying }: ApiDownPageProps) => (
  <QuietPage
    isWhole
    icon={<IconCloudOff />}
    title="The task service does not answer"
    actions={
      <Button onClick={onRetry} loading={isRetrying}>
        Try again
      </Button>
    }
  >
    {problemWords(error)} This page tries again every few seconds.
  </QuietPage>
);
