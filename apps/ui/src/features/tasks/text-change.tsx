// What an update made of a long text, shown on request: the lines that went and came.
import { Button, Text } from "@mantine/core";
import { useId, useState } from "react";
import { diffWords, LineDiffView } from "../../components/line-diff-view.tsx";
import { lineDiff } from "../../lib/line-diff.ts";
import { useIsPrinting } from "../../lib/printing.ts";
import { type Change, eventText } from "./event-words.ts";

const isCut = (value: unknown) => typeof value === "object" && value !== null;

export const TextChange = ({ name, change }: { name: string; change: Change }) => {
  const [isOpen, setIsOpen] = useState(false);
  const isShown = useIsPrinting() || isOpen;
  const id = useId();
  // Lines are told apart only when somebody looks.
  const lines = isShown ? lineDiff(eventText(change.old), eventText(change.new)) : [];
  return (
    <div>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? `Hide the change of the ${name}` : `Show the change of the ${name}`}
      </Button>
      <div id={id}>
        {isShown && (
          <>
            <Text size="xs" c="dimmed" my={4}>
              {diffWords(lines)}
              {(isCut(change.old) || isCut(change.new)) && ". The history keeps the first 4,096 characters."}
            </Text>
            <LineDiffView lines={lines} />
          </>
        )}
      </div>
    </div>
  );
};
