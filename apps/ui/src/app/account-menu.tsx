// Who is signed in, how the screens look, the list of keys, the screens a phone's bar has no room for, and the way out.
import { type MantineColorScheme, Menu, useMantineColorScheme } from "@mantine/core";
import { IconKeyboard, IconLogout, IconUserCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useAuth } from "react-oidc-context";
import { useClient } from "../data/client-context.tsx";
import { meQuery } from "../data/me-data.ts";
import { type Density, densities, setDensity, useDensity } from "../lib/density.ts";
import classes from "./frame.module.css";
import { barCount, screenList } from "./screen-list.ts";
import { signOut } from "./sign-out.ts";

const schemes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
] as const;

const densityWords: Record<Density, string> = { comfortable: "Comfortable", compact: "Compact" };

const AccountMenu = ({ onShowKeys }: { onShowKeys: () => void }) => {
  const auth = useAuth();
  const { data: me } = useQuery(meQuery(useClient()));
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const density = useDensity();
  return (
    <Menu position="top-start" width={220} shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className={`${classes.item} ${classes.account}`} aria-label={`Account of ${me?.name}`}>
          <IconUserCircle size={20} stroke={1.75} aria-hidden />
          <span className={classes.label}>{me?.name}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {screenList.slice(barCount).map(({ to, label, icon: Icon }) => (
          <Menu.Item
            key={to}
            className={classes.more ?? ""}
            leftSection={<Icon size={16} />}
            renderRoot={(props) => <Link to={to} {...props} />}
          >
            {label}
          </Menu.Item>
        ))}
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
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onShowKeys}>
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
