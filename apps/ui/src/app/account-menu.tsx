// Who is signed in, how the screens look, the list of keys, and the way out.
import { type MantineColorScheme, Menu, useMantineColorScheme } from "@mantine/core";
import { IconKeyboard, IconLogout } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useAuth } from "react-oidc-context";
import { type Density, densities, setDensity, useDensity } from "../lib/density.ts";
import { AccountButton } from "./account-button.tsx";
import { signOut } from "./sign-out.ts";

const schemes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
] as const;

const densityWords: Record<Density, string> = { comfortable: "Comfortable", compact: "Compact" };

const AccountMenu = ({ onShowKeys }: { onShowKeys: () => void }) => {
  const auth = useAuth();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // It takes the place of the button that was pressed, and that the focus returns to.
    button.current?.focus();
    setIsOpen(true);
  }, []);
  const showKeys = () => {
    // The item goes with the menu, and could not have the focus back from the dialog.
    button.current?.focus();
    onShowKeys();
  };
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const density = useDensity();
  return (
    <Menu
      opened={isOpen}
      onChange={setIsOpen}
      returnFocus
      position="top-start"
      width={220}
      shadow="md"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <AccountButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Colours</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
          {schemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label>Rows</Menu.Label>
        <Menu.RadioGroup value={density} onChange={(next) => setDensity(next as Density)}>
          {densities.map((one) => (
            <Menu.RadioItem key={one} value={one}>
              {densityWords[one]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={showKeys}>
          Keys
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut(auth)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

export default AccountMenu;
