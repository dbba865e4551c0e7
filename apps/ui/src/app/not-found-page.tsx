// Shown for an address that no screen has.
import { Button } from "@mantine/core";
import { IconMapQuestion } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { QuietPage } from "../components/quiet-page.tsx";

export const NotFoundPage = () => (
  <QuietPage
    icon={<IconMapQuestion />}
    title="There is no such page"
    actions={<Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the queue</Button>}
  >
    The address may be mistyped, or what it showed is gone.
  </QuietPage>
);
