import { useEffect, useRef, useState } from 'react';
import { CoinIcon } from '#client/coins/coin-icon.tsx';
import { keepFigures } from '#client/coins/keep-figures.ts';
import { useLiveFigures } from '#client/coins/live-figures.ts';
import { ChangeCell, PriceCell } from '#client/coins/price.tsx';
import { call } from '#client/platform/api/call.ts';
import { NetworkError } from '#client/platform/api/errors.ts';
import { useLive } from '#client/platform/cache/use-live.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { ticks, useShownCoins } from '#client/platform/live/coin-ticks.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { CryptoItem } from '#contract/market/market.ts';
import { formatSymbol } from '#domain/format/format-number.ts';
import styles from './coin-cards.module.css';

/** Maximum number of cards; the market page has the long list. */
const MAX_CARDS = 4;

/** Coins requested since the page opened, by `database/id`, so that an unknown coin is requested once. */
const asked = new Set<string>();

const answer = () => import('#contract/market/coin-details.ts').then(({ cryptoDetailsAnswer }) => cryptoDetailsAnswer);

/** Fetches and stores a coin that the device has no price for. */
async function meetCoin(db: UserDb, userId: string, id: number): Promise<void> {
  const key = `${db.name}/${id}`;
  if (asked.has(key)) return;
  asked.add(key);
  try {
    const { data } = await call(`/coin-market/get-single-data/${id}/${userId}`, { answer });
    await keepFigures(db, data);
  } catch (error) {
    if (error instanceof NetworkError) asked.delete(key);
  }
}

/** Shows live cards of the coins that an answer names, if the device or the server has them. */
export function CoinCards({ ids }: { ids: readonly number[] }) {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const reachable = useReachable();
  const wanted = ids.slice(0, MAX_CARDS);
  const coins = useLive(`${db.name}/cards/${wanted.join()}`, () => db.coins.bulkGet([...wanted]));
  const known = coins?.filter((coin) => coin !== undefined) ?? [];
  const missing = coins && wanted.filter((_id, at) => !coins[at]?.quote.USD).join();
  const list = useRef<HTMLUListElement>(null);
  const isAwaited = coins === undefined || (reachable && missing !== '');
  const visible = useVisible(list, wanted.length > 0);
  useShownCoins(visible && known.length > 0 ? { key: 'cards', ids: known.map(({ id }) => id), keep: async () => 0 } : undefined);

  useEffect(() => {
    if (!visible || !reachable || !missing) return;
    for (const id of missing.split(',')) void meetCoin(db, userId, Number(id));
  }, [db, userId, visible, reachable, missing]);

  if (wanted.length === 0) return null;
  return (
    <ul ref={list} className={styles.cards} aria-label="Coins of this answer" data-awaited={isAwaited}>
      {known.map((coin) => (
        <li key={coin.id}>
          <Card coin={coin} />
        </li>
      ))}
    </ul>
  );
}

function Card({ coin }: { coin: CryptoItem }) {
  const { id, name, symbol } = coin;
  const cells = useLiveFigures({ coin, currency: 'USD', period: '24h' }, ticks);
  return (
    <a className={styles.card} href={`/crypto/details/${id}`}>
      <CoinIcon id={id} name={name} symbol={symbol} size={24} />
      <bdi className={styles.symbol} title={name}>
        {formatSymbol(symbol)}
      </bdi>
      <PriceCell cells={cells} />
      <ChangeCell cells={cells} />
      <span ref={cells.cap} hidden />
    </a>
  );
}

/** Returns whether an element is on the screen; prices are updated only then. */
function useVisible(element: React.RefObject<HTMLElement | null>, drawn: boolean): boolean {
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    if (!drawn || !element.current) return;
    const observer = new IntersectionObserver(([entry]) => setVisible(entry?.isIntersecting ?? false));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, drawn]);
  return visible && drawn;
}
