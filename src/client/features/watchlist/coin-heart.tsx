import { useEffect, useRef } from 'react';
import { Heart } from '#client/coins/heart.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { HEARTS, isMove } from './heart-commands.ts';
import { type HeartCoin, setHeart } from './hearts.ts';
import { useHearts } from './use-watched.ts';

export interface CoinHeartProps {
  coin: HeartCoin;
  /** Whether the coin's details say it is watched. Used until the whole watchlist is known. */
  told?: boolean | undefined;
  /** Called after the server has stored a change of this device. */
  onSent?: () => void;
}

/** The heart of one coin. It changes at once and is sent when possible. */
export function CoinHeart({ coin, told = false, onSent }: CoinHeartProps) {
  const userId = useClaims().sub;
  const hearts = useHearts();
  const reachable = useReachable();
  const isWaiting = hearts?.commands.some(({ state, body }) => state === 'waiting' && body.cryptoId === coin.id && !isMove(body)) ?? false;
  const watched = hearts && (hearts.savedAt !== undefined || isWaiting) ? hearts.ids.includes(coin.id) : told;

  // Compares stamps, because a command can be sent before it was ever rendered as waiting.
  const sentAt = hearts?.sentAt;
  const before = useRef<{ sentAt: number | undefined }>(undefined);
  useEffect(() => {
    if (!hearts) return;
    if (before.current && before.current.sentAt !== sentAt) onSent?.();
    before.current = { sentAt };
  }, [hearts, sentAt, onSent]);

  async function toggle(next: boolean) {
    await setHeart(userDb(userId), userId, coin, next);
    sendSoon(HEARTS);
  }

  return <Heart name={coin.name} watched={watched} waiting={isWaiting && !reachable} onToggle={(next) => void toggle(next)} />;
}
