import { useEffect, useRef, useState } from 'react';
import type { CryptoItem } from '../../../contract/market';
import { formatSymbol } from '../../../domain/format-number';
import { useLive } from '../../platform/cache/use-live';
import { userDb } from '../../platform/db/user-db';
import { ticks, useShownCoins } from '../../platform/live/coin-ticks';
import { useClaims } from '../../platform/session/use-session';
import { CoinIcon } from '../../ui/coin-icon';
import { ChangeCell, PriceCell, useLiveFigures } from '../../ui/live-figures';
import styles from './coin-cards.module.css';

/** More would be a list, and the market has a better one. */
const MOST = 4;

/** Small live cards of the coins an answer is about, as far as this device knows them. */
export function CoinCards({ ids }: { ids: readonly number[] }) {
  const db = userDb(useClaims().sub);
  const wanted = ids.slice(0, MOST);
  const coins = useLive(`${db.name}/cards/${wanted.join()}`, () => db.coins.bulkGet([...wanted]));
  const known = coins?.filter((coin) => coin !== undefined) ?? [];
  const list = useRef<HTMLUListElement>(null);
  const visible = useVisible(list, known.length > 0);
  useShownCoins(visible ? { key: 'cards', ids: known.map(({ id }) => id), keep: async () => 0 } : undefined);
  if (known.length === 0) return null;
  return (
    <ul ref={list} className={styles.cards} aria-label="Coins of this answer">
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

/** Whether an element is on the screen: only then do its figures need to move. */
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
