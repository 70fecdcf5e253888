import { useEffect, useRef } from 'react';
import { CoinRow } from '#client/coins/coin-row.tsx';
import { Heart } from '#client/coins/heart.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { ticks } from '#client/platform/live/coin-ticks.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { CryptoItem } from '#contract/market/market.ts';
import type { ListChoice } from '#domain/market/list-address.ts';
import { HEARTS } from './heart-commands.ts';
import { setHeart } from './hearts.ts';
import { useHearts } from './use-watched.ts';

/** Lists the watched coins. Each heart removes its coin from the list. */
export function WatchlistRows({ coins, choice: { currency, period } }: { coins: CryptoItem[]; choice: ListChoice }) {
  const userId = useClaims().sub;
  const reachable = useReachable();
  const hearts = useHearts();
  const waiting = new Set(hearts?.commands.flatMap(({ state, body }) => (state === 'waiting' ? body.cryptoId : [])));
  const list = useRef<HTMLUListElement>(null);
  /** Index of the row that its heart removed. */
  const removed = useRef<number>(undefined);

  // Moves the focus from the removed row to the next heart.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the coins change
  useEffect(() => {
    const rows = list.current?.querySelectorAll<HTMLElement>('[aria-pressed]');
    if (removed.current === undefined || !rows || document.activeElement !== document.body) return;
    rows[Math.min(removed.current, rows.length - 1)]?.focus();
    removed.current = undefined;
  }, [coins]);

  async function toggle(coin: CryptoItem, place: number, watched: boolean) {
    removed.current = watched ? undefined : place;
    await setHeart(userDb(userId), userId, coin, watched);
    sendSoon(HEARTS);
  }

  return (
    <ul ref={list} aria-label="Watchlist">
      {coins.map((coin, place) => (
        <CoinRow
          key={coin.id}
          coin={coin}
          currency={currency}
          period={period}
          href={`/crypto/details/${coin.id}`}
          current={false}
          ticks={ticks}
          end={
            <Heart
              name={coin.name}
              watched={hearts?.ids.includes(coin.id) ?? true}
              waiting={!reachable && waiting.has(coin.id)}
              onToggle={(watched) => void toggle(coin, place, watched)}
            />
          }
        />
      ))}
    </ul>
  );
}
