// The way to the account menu: its button is there at once, the menu's code once somebody reaches for it.
import { lazy, Suspense, useState } from "react";
import { AccountButton } from "./account-button.tsx";

const loadMenu = () => import("./account-menu.tsx");
const AccountMenu = lazy(loadMenu);

export const Account = ({ onShowKeys }: { onShowKeys: () => void }) => {
  const [isWanted, setIsWanted] = useState(false);
  if (!isWanted)
    return <AccountButton onPointerEnter={loadMenu} onFocus={loadMenu} onClick={() => setIsWanted(true)} />;
  return (
    <Suspense fallback={<AccountButton />}>
      <AccountMenu onShowKeys={onShowKeys} />
    </Suspense>
  );
};
