import type { MarketSource } from '#contract/market/market.ts';
import type { Clock } from '#domain/clock.ts';
import { Unknown } from '../last-good.ts';
import type { CoinLinks, MarketCoin, MarketData, MarketSnapshot } from '../market-data.ts';
import { memo } from '../memo.ts';
import { nothingToShow } from '../nothing-to-show.ts';
import type { KeptCoin } from './coins.ts';
import type { Lists, Names } from './lists.ts';
import { createUnknownIds } from './unknown-ids.ts';

const NO_LINKS: CoinLinks = { website: null, technicalDoc: null, reddit: null, sourceCode: null, explorer: null };

interface Found {
  coin: MarketCoin;
  source: MarketSource;
}

interface Parts {
  lists: Lists;
  coin: (id: number) => KeptCoin;
  clock: Clock;
  /** Returns the coins without figures. */
  upcoming: () => Promise<MarketSnapshot | undefined>;
}

/** Returns a function that reads one coin, from the lists where they are fresh. */
export function createDetails({ lists, coin, clock, upcoming }: Parts): MarketData['details'] {
  const { market, ranked, search, untracked } = lists;
  const known = memo(({ value }: { value: Names }) => new Set(value.rows.map(({ id }) => id)));
  const unknown = createUnknownIds(clock);

  /** Returns whether the provider has the coin. Asking about every id that users enter would cost credits. */
  async function exists(id: number): Promise<boolean> {
    if (unknown.has(id)) return false;
    const held = await search.get().catch(() => undefined);
    if (!held || known(held).has(id)) return true;
    const coming = untracked.last();
    if (coming && known(coming).has(id)) return true;
    return [market, ...ranked.values()].some((list) => find(id, list.last()));
  }

  /** Returns the list's figures while they are fresh, so that both show the same and no call is paid twice. Time never goes back. */
  async function figuresOf(id: number): Promise<Found | undefined> {
    const listed = find(id, await market.fresh());
    const seen = find(id, coin(id).figures.last());
    // ISO 8601 in UTC sorts as text.
    if (listed) return seen && seen.source.asOf > listed.source.asOf ? seen : listed;
    try {
      const own = find(id, await coin(id).figures.get());
      const old = find(id, market.last());
      return own?.source.stale && old && old.source.asOf > own.source.asOf ? aged(old) : own;
    } catch (error) {
      const old = find(id, market.last());
      if (old) return aged(old);
      if (error instanceof Unknown) return find(id, await upcoming());
      throw nothingToShow();
    }
  }

  return async (id) => {
    if (!(await exists(id))) return undefined;
    const [figures, info] = await Promise.all([
      figuresOf(id),
      coin(id)
        .info.get()
        .catch(() => undefined),
    ]);
    if (!figures) {
      unknown.add(id);
      return undefined;
    }
    const { tags, links } = info?.value ?? { tags: [], links: NO_LINKS };
    return { coin: tags.length > 0 ? { ...figures.coin, tags } : figures.coin, links, source: figures.source };
  };
}

function find(id: number, snapshot: MarketSnapshot | undefined): Found | undefined {
  const coin = snapshot?.coins.find((candidate) => candidate.id === id);
  return snapshot && coin && { coin, source: snapshot.source };
}

const aged = ({ coin, source }: Found): Found => ({ coin, source: { ...source, stale: true } });
