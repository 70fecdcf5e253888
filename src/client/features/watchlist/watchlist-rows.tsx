import { useEffect, useRef } from 'react';
import { CoinRow } from '#client/coins/coin-row.tsx';
import { Heart } from '#client/coins/heart.tsx';
import { PriceLine } from '#client/coins/wide/price-line.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { ticks } from '#client/platform/live/coin-ticks.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { CryptoItem } from '#contract/market/market.ts';
import type { ListChoice } from '#domain/market/list-address.ts';
import { HEARTS, isMove } from './heart-commands.ts';
import { restoreHeart, setHeart } from './hearts.ts';
import { RemovedRow } from './removed-row.tsx';
import { useHearts } from './use-watched.ts';

/** A coin that the user removed since the list opened. */
export interface RemovedCoin {
  coin: CryptoItem;
  /** Ids of the coins that followed it on the screen, and in the whole watchlist. */
  followers: readonly number[];
}

interface WatchlistRowsProps {
  coins: CryptoItem[];
  removed: readonly RemovedCoin[];
  onRemoved: (change: (removed: readonly RemovedCoin[]) => RemovedCoin[]) => void;
  choice: ListChoice;
}

interface Row {
  coin: CryptoItem;
  isRemoved?: boolean;
}

/** Puts removed coins back at their places, the last removed first: it can follow an earlier one. */
function withRemoved(coins: readonly CryptoItem[], removed: readonly RemovedCoin[]): Row[] {
  const rows: Row[] = coins.map((coin) => ({ coin }));
  for (const { coin, followers } of [...removed].reverse()) {
    if (rows.some((row) => row.coin.id === coin.id)) continue;
    const at = rows.findIndex((row) => followers.includes(row.coin.id));
    rows.splice(at === -1 ? rows.length : at, 0, { coin, isRemoved: true });
  }
  return rows;
}

/** Lists the watched coins. Each heart removes its coin, and leaves Undo in its place. */
export function WatchlistRows({ coins, removed, onRemoved, choice: { currency, period } }: WatchlistRowsProps) {
  const userId = useClaims().sub;
  const reachable = useReachable();
  const hearts = useHearts();
  const waiting = new Set(hearts?.commands.flatMap(({ state, body }) => (state === 'waiting' && !isMove(body) ? body.cryptoId : [])));
  const list = useRef<HTMLUListElement>(null);
  /** The coin whose row lost the focus with its heart or with Undo. */
  const touched = useRef<number>(undefined);
  const rows = withRemoved(coins, removed);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the rows change
  useEffect(() => {
    if (touched.current === undefined || document.activeElement !== document.body) return;
    const at = rows.findIndex(({ coin }) => coin.id === touched.current);
    list.current?.children[at]?.querySelector<HTMLElement>('button')?.focus();
    touched.current = undefined;
  }, [coins, removed]);

  async function toggle(coin: CryptoItem, watched: boolean) {
    touched.current = coin.id;
    const ids = hearts?.ids ?? [];
    const shown = rows.map((row) => row.coin.id);
    const followers = [...shown.slice(shown.indexOf(coin.id) + 1), ...ids.slice(ids.indexOf(coin.id) + 1)];
    await setHeart(userDb(userId), userId, coin, watched);
    sendSoon(HEARTS);
    if (!watched) onRemoved((before) => [...before.filter((each) => each.coin.id !== coin.id), { coin, followers }]);
  }

  async function undo(coin: CryptoItem) {
    touched.current = coin.id;
    const followers = removed.find((each) => each.coin.id === coin.id)?.followers ?? [];
    const present = new Set(hearts?.ids);
    await restoreHeart(
      userDb(userId),
      userId,
      coin,
      followers.filter((id) => present.has(id)),
    );
    sendSoon(HEARTS);
  }

  return (
    <ul ref={list} aria-label="Watchlist">
      {rows.map(({ coin, isRemoved }) =>
        isRemoved ? (
          <RemovedRow key={`removed-${coin.id}`} name={coin.name} onUndo={() => void undo(coin)} />
        ) : (
          <CoinRow
            key={coin.id}
            coin={coin}
            currency={currency}
            period={period}
            href={`/crypto/details/${coin.id}`}
            current={false}
            ticks={ticks}
            Line={PriceLine}
            end={
              <Heart
                name={coin.name}
                watched={hearts?.ids.includes(coin.id) ?? true}
                waiting={!reachable && waiting.has(coin.id)}
                onToggle={(watched) => void toggle(coin, watched)}
              />
            }
          />
        ),
      )}
    </ul>
  );
}
