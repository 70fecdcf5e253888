import { useGrowing } from '#client/platform/use-growing.ts';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { Illustration } from '#client/ui/graphics/illustration.tsx';
import { SEARCH } from '#client/ui/graphics/scenes.ts';
import type { SearchHit as Hit } from '#contract/market/search.ts';
import { SearchHit } from './search-hit.tsx';
import styles from './search-result.module.css';

const outline = (
  <span className={styles.row}>
    <Skeleton width={32} height={32} radius="50%" />
    <Skeleton width="44%" height={16} />
  </span>
);

interface SearchResultProps {
  /** Undefined while they load. */
  hits: Hit[] | undefined;
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
  if (hits.length === 0) return <EmptyState illustration={<Illustration drawing={SEARCH} />} title="No search result found!" />;
  return (
    <ul>
      {hits.slice(0, count).map((hit) => (
        <li key={hit.id}>
          <a className={styles.row} href={`/crypto/details/${hit.id}`}>
            <SearchHit hit={hit} text={text} />
          </a>
        </li>
      ))}
    </ul>
  );
}
