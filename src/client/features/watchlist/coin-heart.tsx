import { useEffect, useRef } from 'react';
import { userDb } from '../../platform/db/user-db';
import { useReachable } from '../../platform/live/reachability';
import { sendSoon } from '../../platform/outbox/start-lanes';
import { useClaims } from '../../platform/session/use-session';
import { Heart } from '../../ui/heart';
import { HEARTS, type HeartCoin, setHeart } from './hearts';
import { useHearts } from './use-watched';

interface CoinHeartProps {
  coin: HeartCoin;
  /** What the server last said of this coin, for as long as its word on all of them is not here. */
  told?: boolean | undefined;
  /** The server has taken it. */
  onSent?: () => void;
  onToggle?: (watched: boolean) => void;
}

/** The heart of one coin: shown as it was pressed at once, and sent when that is possible. */
export function CoinHeart({ coin, told = false, onSent, onToggle }: CoinHeartProps) {
  const userId = useClaims().sub;
  const hearts = useHearts();
  const reachable = useReachable();
  const waits = hearts?.commands.some(({ state, body }) => state === 'waiting' && body.cryptoId === coin.id) ?? false;
  const watched = hearts && (hearts.savedAt !== undefined || waits) ? hearts.ids.includes(coin.id) : told;

  const waited = useRef(waits);
  useEffect(() => {
    if (waited.current && !waits) onSent?.();
    waited.current = waits;
  }, [waits, onSent]);

  async function toggle(next: boolean) {
    onToggle?.(next);
    await setHeart(userDb(userId), userId, coin, next);
    sendSoon(HEARTS);
  }

  return <Heart name={coin.name} watched={watched} waiting={waits && !reachable} onToggle={(next) => void toggle(next)} />;
}
