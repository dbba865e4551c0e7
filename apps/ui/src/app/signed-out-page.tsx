// Where a person rests after signing out.
import { Button } from "@mantine/core";
import { IconDoorExit } from "@tabler/icons-react";
import { QuietPage } from "../components/quiet-page.tsx";

export const SignedOutPage = ({ onSignIn }: { onSignIn: () => void }) => (
  <QuietPage
    isWhole
    icon={<IconDoorExit />}
    title="You are signed out"
    actions={<Button onClick={onSignIn}>Sign in</Button>}
  >
    Your session here and at the identity provider has ended.
  </QuietPage>
);
