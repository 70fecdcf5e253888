import { useEffect, useState } from 'react';
import { useLive } from '#client/platform/cache/use-live.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import type { AlertCoin } from '#contract/alerts/alert-form.ts';
import { loadDeviceAnswers } from './use-device-answers.ts';

/** Returns the only coin that a text names, once the text settles and the device knows its coins. */
export function useCoinNamedIn(text: string): AlertCoin | undefined {
  const db = userDb(useClaims().sub);
  const settled = useDebounced(text);
  // On a first visit, the coins come after the text.
  const known = useLive(`${db.name}/coins`, () => db.coins.count());
  const [found, setFound] = useState<{ text: string; coin: AlertCoin | undefined }>();
  useEffect(() => {
    if (settled.trim() === '' || known === undefined) return;
    let isOver = false;
    const find = async () => (await loadDeviceAnswers()).coinNamedIn(db, settled);
    find().then(
      (coin) => isOver || setFound({ text: settled, coin }),
      () => undefined, // the form asks for the coin
    );
    return () => {
      isOver = true;
    };
  }, [db, settled, known]);
  // An edited text may name another coin.
  return found?.text === text ? found.coin : undefined;
}
