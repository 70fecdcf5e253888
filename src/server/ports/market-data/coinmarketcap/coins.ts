import type { Currency } from '#contract/market/market.ts';
import { type Clock, DAY } from '#domain/clock.ts';
import { createBatcher } from '#server/batcher.ts';
import { type Cached, type Held, lastGood, Unknown } from '../last-good.ts';
import { type Answers, aged } from '../shared/answers.ts';
import { agedSnapshot, createListing, type Listing, type Priced } from './listing.ts';
import { type CoinInfo, readCoins, readInfos } from './rows.ts';
import type { Upstream } from './upstream.ts';

/** Maximum number of cached coins. The least recently used one is evicted first. */
const MAX_DETAILS = 1000;
/** Coins per credit. */
const COINS_A_CREDIT = 100;
const V2 = '/v2/cryptocurrency';

/** Cached data of a coin. */
export interface KeptCoin {
  figures: Listing;
  info: Cached<Held<CoinInfo | undefined>>;
}

interface Options {
  upstream: Upstream;
  answers: Answers;
  clock: Clock;
  /** Cache lifetime of figures, ms. */
  lifetime: number;
  /** Returns a function that logs failures of one kind of request. */
  logFailure: (what: string) => (error: unknown, instead: object | undefined) => void;
}

/** Caches single coins for all users. Concurrent requests share one call. */
export function createCoins({ upstream, answers, clock, lifetime, logFailure }: Options): (id: number) => KeptCoin {
  const quotes = { USD: createQuotes(upstream, 'USD'), BTC: createQuotes(upstream, 'BTC') };
  const infos = createInfos(upstream);
  const figuresOf = answers.kind('coin', {
    max: MAX_DETAILS,
    aged: agedSnapshot,
    origin: (id) =>
      createListing({ ask: (currency) => quotes[currency](Number(id)), lifetime, clock, onFailure: logFailure(`coin ${id}`) }),
  });
  const infoOf = answers.kind<Held<CoinInfo | undefined>>('info', {
    max: MAX_DETAILS,
    aged,
    origin: (id) => lastGood({ ask: () => infos(Number(id)), lifetime: DAY, clock, onFailure: logFailure(`info of coin ${id}`) }),
  });
  return (id) => ({ figures: figuresOf(String(id)), info: infoOf(String(id)) });
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
  return createBatcher(answer, { maxBatch: COINS_A_CREDIT });
}
