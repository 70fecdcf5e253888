import type { Currency } from '#contract/market/market.ts';
import { type Clock, DAY } from '#domain/clock.ts';
import { createBatcher } from '#server/batcher.ts';
import { putNewest } from '#server/put-newest.ts';
import { type LastGood, lastGood } from '../last-good.ts';
import { createListing, type Listing, type Priced } from './listing.ts';
import { type CoinInfo, readCoins, readInfos } from './rows.ts';
import { Unknown, type Upstream } from './upstream.ts';

/** Maximum number of cached coins. The least recently used one is evicted first. */
const MAX_DETAILS = 1000;
/** Coins per credit. */
const COINS_A_CREDIT = 100;
const V2 = '/v2/cryptocurrency';

/** Cached data of a coin. */
export interface KeptCoin {
  figures: Listing;
  info: LastGood<CoinInfo | undefined>;
}

interface Options {
  upstream: Upstream;
  clock: Clock;
  /** Cache lifetime of figures, ms. */
  lifetime: number;
  /** Returns a function that logs failures of one kind of request. */
  logFailure: (what: string) => (error: unknown, instead: object | undefined) => void;
}

/** Caches single coins for all users. Concurrent requests share one call. */
export function createCoins({ upstream, clock, lifetime, logFailure }: Options): (id: number) => KeptCoin {
  const kept = new Map<number, KeptCoin>();
  const quotes = { USD: createQuotes(upstream, 'USD'), BTC: createQuotes(upstream, 'BTC') };
  const infos = createInfos(upstream);

  return (id) => {
    const coin = kept.get(id) ?? {
      figures: createListing({ ask: (currency) => quotes[currency](id), lifetime, clock, onFailure: logFailure(`coin ${id}`) }),
      info: lastGood({ ask: () => infos(id), lifetime: DAY, clock, onFailure: logFailure(`info of coin ${id}`) }),
    };
    putNewest(kept, id, coin, MAX_DETAILS);
    return coin;
  };
}

const createQuotes = (upstream: Upstream, convert: Currency) =>
  batched<Priced>(async (ids) => {
    const { data, asOf } = await askFor(upstream, `${V2}/quotes/latest`, ids, { convert });
    const { rows, dropped, why } = readCoins(data, convert);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return (id) => {
      const row = byId.get(id);
      if (row) return { rows: [row], asOf };
      return dropped > 0 ? new Error(`${dropped} coins could not be read: ${why}`) : new Unknown(`coin ${id} is not in the answer`);
    };
  });

const createInfos = (upstream: Upstream) =>
  batched<CoinInfo | undefined>(async (ids) => {
    const { data } = await askFor(upstream, `${V2}/info`, ids, {});
    const infos = readInfos(data);
    return (id) => infos.get(id);
  });

/** Asks for several coins. The provider's answer omits ids that it does not know. */
const askFor = (upstream: Upstream, path: string, ids: readonly number[], query: Record<string, string>) =>
  upstream.ask(path, { id: ids.join(','), skip_invalid: 'true', ...query }, { of: 'coins', credits: 1 });

/** Batches ids into one call. `ask` resolves to a function that returns an id's answer, or an Error to reject with. */
function batched<Answer>(ask: (ids: readonly number[]) => Promise<(id: number) => Answer | Error>): (id: number) => Promise<Answer> {
  async function answer(ids: readonly number[]): Promise<(Answer | Error)[]> {
    try {
      return ids.map(await ask(ids));
    } catch (error) {
      // Split the batch in halves until the rejected id is alone, so that the other ids succeed.
      if (error instanceof Unknown && ids.length > 1) {
        const middle = Math.ceil(ids.length / 2);
        return [...(await answer(ids.slice(0, middle))), ...(await answer(ids.slice(middle)))];
      }
      const failure = error instanceof Error ? error : new Error('unknown');
      return ids.map(() => failure);
    }
  }
  return createBatcher(answer, COINS_A_CREDIT);
}
