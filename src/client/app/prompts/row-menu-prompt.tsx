import { type ReactNode, useEffect, useState } from 'react';
import { useDeviceSwitch } from '#client/platform/device-choices/device-switch.ts';
import { rowMenuKnown } from '#client/platform/device-choices/row-menu-known.ts';
import { useLocation } from '#client/platform/router/history.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Prompt } from './prompt.tsx';

const COIN = /^\/crypto\/details\//;
/** Coins that the user has opened by then. */
const OPENED = 3;

/**
 * Says once on a device that rows of coins have a menu: on the market, to a user who has opened some coins and no menu. After another prompt
 * (`isOtherDue`), the user opens as many again.
 */
export function useRowMenuHint(isOtherDue: boolean): ReactNode {
  const isSignedIn = useSession().status === 'signed-in';
  const { pathname } = useLocation();
  const isKnown = useDeviceSwitch(rowMenuKnown);
  const [opened, setOpened] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins anew
  useEffect(() => setOpened(0), [isOtherDue, isSignedIn]);
  useEffect(() => {
    if (COIN.test(pathname)) setOpened((count) => count + 1);
  }, [pathname]);
  return isSignedIn && opened >= OPENED && !isKnown && pathname === '/crypto' ? <RowMenuPrompt /> : undefined;
}

const RowMenuPrompt = () => (
  <Prompt
    icon="bell"
    title="Set an alert from the list"
    text={
      matchMedia('(pointer: coarse)').matches
        ? 'Hold a coin in a list to open its menu.'
        : 'Right-click a coin in a list to open its menu, or press the menu key.'
    }
    actions={<Button onClick={() => rowMenuKnown.set(true)}>Got it</Button>}
  />
);
