// Covers the screens when the session is over, so that what was typed is still there to be seen.
import { Button, Modal, Text } from "@mantine/core";
import { useReturnedFocus } from "../lib/returned-focus.ts";

const stayOpen = () => undefined;

const SessionEndedDialog = ({ onSignIn }: { onSignIn: () => void }) => {
  useReturnedFocus();
  return (
    <Modal opened onClose={stayOpen} withCloseButton={false} title="Your session has ended" centered>
      <Text mb="md">Sign in again to go on. It opens a window of its own; what you were writing stays here.</Text>
      <Button onClick={onSignIn} data-autofocus>
        Sign in again
      </Button>
    </Modal>
  );
};

export default SessionEndedDialog;
