// What shows for the blink of an eye before the first screen; its words only appear if it takes longer.
import { Center, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./splash-page.module.css";

export const SplashPage = ({ children }: { children: ReactNode }) => (
  <Center component="main" mih="100dvh">
    <Text c="dimmed" role="status" className={classes.words}>
      {children}
    </Text>
  </Center>
);
