import { LINE_POINTS } from '#contract/market/choices.ts';
import { DAY } from '#domain/clock.ts';
import type { MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';

/** Ages of a line's points, oldest first, ms. */
const AGES = Array.from({ length: LINE_POINTS }, (_, at) => (7 * DAY * (LINE_POINTS - 1 - at)) / (LINE_POINTS - 1));

/** Returns the 7-day lines of a snapshot's coins that have a history of 7 days, by coin. A line ends at the snapshot's price. */
export async function linesOf(market: MarketData, { coins }: MarketSnapshot): Promise<ReadonlyMap<number, number[]>> {
  const ids = coins.map(({ id }) => id);
  const prices = (await (market.drawn ?? market.history)?.prices(ids, AGES)) ?? new Map<number, readonly number[]>();
  return new Map(
    coins.flatMap(({ id, quote: { USD } }) => {
      const line = prices.get(id);
      return line && USD.price !== null ? [[id, [...line.slice(0, -1), USD.price].map(rounded)] as const] : [];
    }),
  );
}

const rounded = (price: number): number => Number(price.toPrecision(5));
