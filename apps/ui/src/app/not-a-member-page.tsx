// Tells a person outside the group that they are, who they are signed in as, and what to do about it.
import { Button, Text } from "@mantine/core";
import { IconUsersMinus } from "@tabler/icons-react";
import { useAuth } from "react-oidc-context";
import { QuietPage } from "../components/quiet-page.tsx";
import { signInAsSomeoneElse } from "./sign-out.ts";

export const NotAMemberPage = ({ detail }: { detail: string }) => {
  const auth = useAuth();
  const profile = auth.user?.profile;
  const name = profile?.preferred_username ?? profile?.name ?? profile?.sub;
  return (
    <QuietPage
      isWhole
      icon={<IconUsersMinus />}
      title="You have no access"
      actions={<Button onClick={() => signInAsSomeoneElse(auth)}>Sign in as someone else</Button>}
    >
      <Text c="bright" mb="xs">
        {detail}
      </Text>
      {name && (
        <>
          You are signed in as <b>{name}</b>.
        </>
      )}
    </QuietPage>
  );
};
