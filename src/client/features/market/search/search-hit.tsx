import { CoinIcon } from '#client/coins/coin-icon.tsx';
import { Change, Price } from '#client/coins/price.tsx';
import { useTick } from '#client/platform/live/coin-ticks.ts';
import { Highlighted } from '#client/ui/labels/highlighted.tsx';
import type { SearchHit as Hit } from '#contract/market/search.ts';
import { formatSymbol } from '#domain/format/format-number.ts';
import { highlight } from '#domain/text.ts';
import styles from './search-hit.module.css';

/** A coin that a search found: its name and symbol with matches highlighted, its latest price and change of 24 hours. */
export function SearchHit({ hit: { id, name, symbol, ...found }, text }: { hit: Hit; text: string }) {
  const { price, percent_change_24h } = useTick(id)?.quote.USD ?? found;
  return (
    <>
      <CoinIcon id={id} name={name} symbol={symbol} size={32} />
      <span className={styles.names}>
        <bdi className={styles.name}>
          <Highlighted parts={highlight(name, text)} />
        </bdi>
        <bdi className={styles.symbol}>
          <Highlighted parts={highlight(formatSymbol(symbol), text)} />
        </bdi>
      </span>
      {price != null && (
        <span className={styles.figures}>
          <Price value={price} currency="USD" />
          <Change value={percent_change_24h} />
        </span>
      )}
    </>
  );
}
