// The list of every key, on `?`.
import { Group, Kbd, Modal, Stack, Text } from "@mantine/core";

const keys = [
  ["c", "New task"],
  ["/", "Search or jump"],
  ["Ctrl K", "Search or jump, while typing too"],
  ["g q", "Go to the queue"],
  ["g t", "Go to all tasks"],
  ["g a", "Go to the agents"],
  ["g o", "Go to the organizations"],
  ["g e", "Go to the executors"],
  ["g i", "Go to the insights"],
  ["j", "Next row"],
  ["k", "Previous row"],
  ["Enter", "Open the row"],
  ["Esc", "Close"],
  ["?", "These keys"],
] as const;

export const KeysDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Modal opened={isOpen} onClose={onClose} title="Keys" size="xs">
    <Stack gap="xs">
      {keys.map(([combination, meaning]) => (
        <Group key={combination} justify="space-between">
          <Text>{meaning}</Text>
          <Group gap={4}>
            {combination.split(" ").map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </Group>
        </Group>
      ))}
    </Stack>
  </Modal>
);
