import type { MarketHistory } from '#server/ports/market-data/coin-candles.ts';
import type { Held } from '#server/ports/market-data/last-good.ts';
import { memo } from '#server/ports/market-data/memo.ts';
import { type Answers, aged } from '#server/ports/market-data/shared/answers.ts';
import { type CollectOptions, collectPast, type StoredPast } from './collect-past.ts';
import { type PastPrices, priceAt } from './past-prices.ts';

/** Returns a coin's past prices, as far as they are known. */
export type PastOf = (id: number) => PastPrices | undefined;

const nothing: PastOf = () => undefined;

interface Parts extends CollectOptions {
  answers: Answers;
  /** Returns the time of the current figures, ms UTC. */
  asOf: () => number;
}

/** Keeps the past prices of coins, which are collected for all processes while users look at lists. */
export function createKnownPast({ answers, asOf, ...options }: Parts): { current: () => PastOf; prices: MarketHistory['prices'] } {
  const stored = answers.kind<Held<StoredPast>>('past prices', { max: 1, aged, origin: () => collectPast(options) })('');
  const pastOf = memo(({ coins }: StoredPast): PastOf => {
    const byId = new Map(coins);
    return (id) => byId.get(id);
  });

  const current = (): PastOf => {
    const held = stored.last();
    return held ? pastOf(held.value) : nothing;
  };

  return {
    /** The same function is returned until prices change, so it can key a cache. */
    current,
    async prices(ids, ages) {
      // No list waits for candles: the next one has them.
      void stored.get().catch(() => undefined);
      const at = asOf();
      const find = current();
      return new Map(
        ids.flatMap((id) => {
          const past = find(id);
          const prices = past ? ages.flatMap((age) => priceAt(past, at - age) ?? []) : [];
          return prices.length > 0 && prices.length === ages.length ? [[id, prices] as const] : [];
        }),
      );
    },
  };
}
