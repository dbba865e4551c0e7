// Shown when signing in did not work: the identity provider is away, or refused.
import { Button } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import type { ErrorContext } from "react-oidc-context";
import { QuietPage } from "../components/quiet-page.tsx";

interface ProviderDownPageProps {
  error: ErrorContext;
  onRetry: () => void;
}

export const ProviderDownPage = ({ error, onRetry }: ProviderDownPageProps) => {
  const isRefusal = error.source === "signinCallback";
  return (
    <QuietPage
      isWhole
      icon={<IconPlugConnectedX />}
      title={isRefusal ? "Signing in did not work" : "The identity provider cannot be reached"}
      actions={<Button onClick={onRetry}>Try again</Button>}
    >
      {isRefusal ? (
        <>
          The identity provider said: <bdi>{error.message}</bdi>
        </>
      ) : (
        "It is where you prove who you are. Nobody can sign in until it answers again."
      )}
    </QuietPage>
  );
};
