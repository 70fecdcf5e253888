import { CoinIcon } from '#client/coins/coin-icon.tsx';
import { Change, Price } from '#client/coins/price.tsx';
import { useGrowing } from '#client/platform/use-growing.ts';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { Illustration } from '#client/ui/graphics/illustration.tsx';
import { Highlighted } from '#client/ui/labels/highlighted.tsx';
import type { SearchHit } from '#contract/market/search.ts';
import { formatSymbol } from '#domain/format/format-number.ts';
import { highlight } from '#domain/text.ts';
import styles from './search-result.module.css';

const outline = (
  <span className={styles.row}>
    <Skeleton width={32} height={32} radius="50%" />
    <Skeleton width="44%" height={16} />
  </span>
);

interface SearchResultProps {
  /** Undefined while they load. */
  hits: SearchHit[] | undefined;
  /** The search text. Empty shows the top coins. */
  text: string;
}

/** Lists the coins found with price and change of 24 hours, and matches highlighted. */
export function SearchResult({ hits, text }: SearchResultProps) {
  return (
    <section aria-labelledby="search-result">
      <h2 className={styles.heading} id="search-result">
        {text ? 'Search Result' : 'Top Coins'}
      </h2>
      <Hits hits={hits} text={text} />
    </section>
  );
}

function Hits({ hits, text }: SearchResultProps) {
  const count = useGrowing(text, hits?.length ?? 0, { first: 14, step: 30 });
  if (!hits) return <SkeletonRows count={6} row={outline} />;
  if (hits.length === 0) return <EmptyState illustration={<Illustration name="search" />} title="No search result found!" />;
  return (
    <ul>
      {hits.slice(0, count).map(({ id, name, symbol, price, percent_change_24h }) => (
        <li key={id}>
          <a className={styles.row} href={`/crypto/details/${id}`}>
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
          </a>
        </li>
      ))}
    </ul>
  );
}
