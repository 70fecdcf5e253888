import { CoinIcon } from '#client/coins/coin-icon.tsx';
import { Change, Price } from '#client/coins/price.tsx';
import { useTick } from '#client/platform/live/coin-ticks.ts';
import { useMinutes } from '#client/ui/hooks/use-minutes.ts';
import { formatAge } from '#client/ui/labels/format-age.ts';
import { Highlighted } from '#client/ui/labels/highlighted.tsx';
import type { SearchHit as Hit } from '#contract/market/search.ts';
import { MINUTE } from '#domain/clock.ts';
import { formatSymbol } from '#domain/format/format-number.ts';
import { highlight } from '#domain/text.ts';
import styles from './search-hit.module.css';

/**
 * A coin that a search found: its name and symbol with matches highlighted, its latest price and change of 24 hours. A price that does not
 * tick has its age, from a minute on.
 */
export function SearchHit({ hit: { id, name, symbol, asOf, ...found }, text }: { hit: Hit; text: string }) {
  const tick = useTick(id)?.quote.USD;
  const { price, percent_change_24h } = tick ?? found;
  const now = useMinutes();
  const at = tick || asOf === undefined ? Number.NaN : Date.parse(asOf);
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
          <span className={styles.change}>
            <Change value={percent_change_24h} />
            {now - at >= MINUTE && <span className={styles.age}>{formatAge(at, now)}</span>}
          </span>
        </span>
      )}
    </>
  );
}
