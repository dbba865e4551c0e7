// Copies a text, and says that it did.
import { ActionIcon, CopyButton, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

/** `name` says what is copied, for the button's name: "the prompt". */
export const CopyIcon = ({ text, name }: { text: string; name: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Copy ${name}`}
          title={copied ? "Copied" : `Copy ${name}`}
          onClick={copy}
        >
          {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
        <VisuallyHidden role="status">{copied ? "Copied" : ""}</VisuallyHidden>
      </>
    )}
  </CopyButton>
);
