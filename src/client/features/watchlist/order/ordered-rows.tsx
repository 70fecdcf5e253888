import { useEffect, useRef, useState } from 'react';
import { CoinRow } from '#client/coins/coin-row.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { ticks } from '#client/platform/live/coin-ticks.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { GRIP } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import type { CryptoItem } from '#contract/market/market.ts';
import type { ListChoice } from '#domain/market/list-address.ts';
import { HEARTS } from '../heart-commands.ts';
import { moveHeart } from '../hearts.ts';
import styles from './ordered-rows.module.css';
import { type Said, useReorder } from './use-reorder.ts';

interface OrderedRowsProps {
  coins: CryptoItem[];
  /** All watched coins, of which `coins` are the first. */
  ids: readonly number[];
  choice: ListChoice;
}

/** Returns the list with one entry at another index. */
function arranged<T>(list: readonly T[], from: number, to: number): T[] {
  const others = list.filter((_, index) => index !== from);
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)];
}

/** Lists the watched coins with handles that move them. */
export function OrderedRows({ coins, ids, choice: { currency, period } }: OrderedRowsProps) {
  const userId = useClaims().sub;
  const list = useRef<HTMLUListElement>(null);
  // The order of a drop, until the device has stored it.
  const [dropped, setDropped] = useState<{ from: CryptoItem[]; coins: CryptoItem[] }>();
  const shown = dropped?.from === coins ? dropped.coins : coins;
  const [spoken, setSpoken] = useState('');
  const focused = useRef<number>(undefined);

  const reorder = useReorder({
    list,
    onSay: (what, from, to) => setSpoken(sentence(what, shown[from]?.name ?? '', to + 1, shown.length)),
    onMove(from, to) {
      const coin = shown[from];
      if (!coin) return;
      const next = arranged(shown, from, to);
      const after = next[to + 1]?.id ?? ids[ids.indexOf(shown.at(-1)?.id ?? 0) + 1] ?? null;
      focused.current = coin.id;
      setDropped({ from: coins, coins: next });
      void moveHeart(userDb(userId), userId, coin, after).then(() => sendSoon(HEARTS));
    },
  });

  // React moves the row in the page, which takes the focus from its handle.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the order changes
  useEffect(() => {
    if (focused.current === undefined || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>(`[data-handle="${focused.current}"]`)?.focus();
  }, [shown]);

  return (
    <>
      <p className="sr-only" role="status">
        {spoken}
      </p>
      <ul ref={list} aria-label="Watchlist" className={styles.rows}>
        {shown.map((coin, index) => (
          <CoinRow
            key={coin.id}
            coin={coin}
            currency={currency}
            period={period}
            href={`/crypto/details/${coin.id}`}
            current={false}
            ticks={ticks}
            end={
              <button
                type="button"
                className={styles.handle}
                data-handle={coin.id}
                aria-label={`Move ${coin.name}, ${index + 1} of ${shown.length}`}
                aria-description="Press Space, then the arrow keys, then Space again."
                onPointerDown={(event) => reorder.onPointerDown(event, index)}
                onKeyDown={(event) => reorder.onKeyDown(event, index)}
                onBlur={reorder.onBlur}
              >
                <Icon name={GRIP} />
              </button>
            }
          />
        ))}
      </ul>
    </>
  );
}

function sentence(what: Said, name: string, place: number, count: number): string {
  const where = `position ${place} of ${count}`;
  if (what === 'grabbed') return `${name} grabbed, ${where}. Use the arrow keys to move it, Space to drop it, Escape to cancel.`;
  if (what === 'moving') return `${name}, ${where}.`;
  return what === 'dropped' ? `${name} dropped, ${where}.` : `Move canceled. ${name} is at ${where}.`;
}
