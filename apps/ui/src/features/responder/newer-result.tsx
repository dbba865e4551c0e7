// Shows a result that somebody else saved while the answer was being written, before the answer takes its place.
import { Alert, Box, Button } from "@mantine/core";
import { MarkdownText } from "../../components/markdown-text.tsx";

interface NewerResultProps {
  result: string | null;
  /** The result the answer was begun from. */
  replaces: string | null;
  onSeen: () => void;
}

export const NewerResult = ({ result, replaces, onSeen }: NewerResultProps) =>
  result === replaces ? null : (
    <Alert color="yellow" title="Somebody changed the result meanwhile">
      <Box mah={240} mb="sm" style={{ overflow: "auto" }}>
        {result ? <MarkdownText text={result} /> : "It is empty now."}
      </Box>
      <Button size="xs" variant="default" onClick={onSeen}>
        Put mine in its place when I save
      </Button>
    </Alert>
  );
