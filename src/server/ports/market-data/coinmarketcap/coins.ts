import type { Currency } from '#contract/market/market.ts';
import { type Clock, DAY } from '#domain/clock.ts';
import { createBatcher } from '#server/batcher.ts';
import { type LastGood, lastGood } from '../last-good.ts';
import { createListing, type Listing, type Priced } from './listing.ts';
import { type CoinInfo, readCoins, readInfos } from './rows.ts';
import { Unknown, type Upstream } from './upstream.ts';

/** Coins whose details are kept; the one that was looked at longest ago goes first. */
const MOST_DETAILS = 1000;
/** Coins that the provider counts as one credit. */
const COINS_A_CREDIT = 100;
const V2 = '/v2/cryptocurrency';

/** What is kept of a coin. */
export interface KeptCoin {
  figures: Listing;
  info: LastGood<CoinInfo | undefined>;
}

interface Options {
  upstream: Upstream;
  clock: Clock;
  /** How long figures are good, ms. */
  lifetime: number;
  /** How failures of one kind of answer are told. */
  telling: (what: string) => (error: unknown, instead: object | undefined) => void;
}

/** Single coins: kept for all users, and those that are asked for at the same moment share one call. */
export function createCoins({ upstream, clock, lifetime, telling }: Options): (id: number) => KeptCoin {
  const kept = new Map<number, KeptCoin>();
  const quotes = { USD: createQuotes(upstream, 'USD'), BTC: createQuotes(upstream, 'BTC') };
  const infos = createInfos(upstream);

  return (id) => {
    const coin = kept.get(id) ?? {
      figures: createListing({ ask: (currency) => quotes[currency](id), lifetime, clock, onFailure: telling(`coin ${id}`) }),
      info: lastGood({ ask: () => infos(id), lifetime: DAY, clock, onFailure: telling(`info of coin ${id}`) }),
    };
    // The last to be put in is the last to go.
    kept.delete(id);
    kept.set(id, coin);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_DETAILS) break;
      kept.delete(oldest);
    }
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

/** Ids that the provider does not know are left out of its answer. */
const askFor = (upstream: Upstream, path: string, ids: readonly number[], query: Record<string, string>) =>
  upstream.ask(path, { id: ids.join(','), skip_invalid: 'true', ...query }, { of: 'coins', credits: 1 });

/** Asks for many ids in one call. `ask` resolves to what finds an id's answer, or the Error that it rejects with. */
function batched<Answer>(ask: (ids: readonly number[]) => Promise<(id: number) => Answer | Error>): (id: number) => Promise<Answer> {
  async function answer(ids: readonly number[]): Promise<(Answer | Error)[]> {
    try {
      return ids.map(await ask(ids));
    } catch (error) {
      // An id that the provider refuses must not take the others along: halves find it in few calls.
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
