// Text as it was written; of a long one the beginning, and the rest on request and on paper.
import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useIsPrinting } from "../lib/printing.ts";
import { countWord } from "../lib/task-words.ts";
import classes from "./markdown-text.module.css";

const foldedCharacters = 4_000;
/** Worth folding only if much is left out. */
const maxUnfoldedCharacters = 6_000;

const beginning = (text: string): string => text.slice(0, foldedCharacters).replace(/[\ud800-\udbff]$/, "");

export const PlainText = ({ text }: { text: string }) => {
  const [isWhole, setIsWhole] = useState(false);
  const isPrinting = useIsPrinting();
  const isLong = text.length > maxUnfoldedCharacters;
  const isFolded = isLong && !isWhole && !isPrinting;
  return (
    <>
      <div className={classes.plain} dir="auto">
        {isFolded ? `${beginning(text)}…` : text}
      </div>
      {isLong && (
        <Group mt="xs" gap="sm" className={classes.fold ?? ""}>
          <Button size="xs" variant="default" aria-expanded={!isFolded} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? "Show less" : "Show all"}
          </Button>
          <Text size="xs" c="dimmed">
            {countWord([...text].length)} characters
          </Text>
        </Group>
      )}
    </>
  );
};
