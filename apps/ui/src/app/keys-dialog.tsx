// The list of every key, on `?`.
import { Group, Kbd, Modal, Stack, Text } from "@mantine/core";
import { useReturnedFocus } from "../lib/returned-focus.ts";
import { keyList } from "./key-list.ts";

const shown: Readonly<Record<string, string>> = { Escape: "Esc", ArrowDown: "↓", ArrowUp: "↑", " ": "Space" };

const KeysDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  useReturnedFocus();
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keys" size="sm">
      <Stack gap="lg">
        {keyList.map(({ title, keys }) => (
          <Stack key={title} gap="xs" component="section" aria-label={title}>
            <Text size="xs" c="dimmed" fw={600}>
              {title}
            </Text>
            {keys.map(([combination, meaning]) => (
              <Group key={combination} justify="space-between" wrap="nowrap">
                <Text>{meaning}</Text>
                <Group gap={4} wrap="nowrap">
                  {combination.split(" ").map((key) => (
                    <Kbd key={key}>{shown[key] ?? key}</Kbd>
                  ))}
                </Group>
              </Group>
            ))}
          </Stack>
        ))}
      </Stack>
    </Modal>
  );
};

export default KeysDialog;
