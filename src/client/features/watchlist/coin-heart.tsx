import { useEffect, useRef } from 'react';
import { Heart } from '#client/coins/heart.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { HEARTS } from './heart-commands.ts';
import { type HeartCoin, setHeart } from './hearts.ts';
import { useHearts } from './use-watched.ts';

interface CoinHeartProps {
  coin: HeartCoin;
  /** What the server last said of this coin, for as long as its word on all of them is not here. */
  told?: boolean | undefined;
  /** The server has taken a heart of this device. */
  onSent?: () => void;
}

/** The heart of one coin: shown as it was pressed at once, and sent when that is possible. */
export function CoinHeart({ coin, told = false, onSent }: CoinHeartProps) {
  const userId = useClaims().sub;
  const hearts = useHearts();
  const reachable = useReachable();
  const waits = hearts?.commands.some(({ state, body }) => state === 'waiting' && body.cryptoId === coin.id) ?? false;
  const watched = hearts && (hearts.savedAt !== undefined || waits) ? hearts.ids.includes(coin.id) : told;

  // However quickly it went: what waits may never have been seen waiting.
  const heardAt = hearts?.heardAt;
  const before = useRef<{ heardAt: number | undefined }>(undefined);
  useEffect(() => {
    if (!hearts) return;
    if (before.current && before.current.heardAt !== heardAt) onSent?.();
    before.current = { heardAt };
  }, [hearts, heardAt, onSent]);

  async function toggle(next: boolean) {
    await setHeart(userDb(userId), userId, coin, next);
    sendSoon(HEARTS);
  }

  return <Heart name={coin.name} watched={watched} waiting={waits && !reachable} onToggle={(next) => void toggle(next)} />;
}
