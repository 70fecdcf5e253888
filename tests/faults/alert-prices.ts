import { HOUR, SECOND } from '#domain/clock.ts';
import { createRandom } from '#domain/random.ts';
import type { MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { coinWith, stillMarket } from '../support/market/market.ts';

/** The full hour at which prices begin, and how often they change, ms. */
export const BEGIN = Date.UTC(2026, 10, 25, 9);
export const STEP = 10 * SECOND;
const STEPS_PER_HOUR = HOUR / STEP;
export const COINS = 5;
export const FIRST_PRICE = 100;

/** Draws the prices (USD) of a coin at each step from a seed. */
export function drawPrices(seed: number, coin: number, steps: number): number[] {
  const random = createRandom(seed * 1000 + coin);
  let price = FIRST_PRICE;
  return Array.from({ length: steps }, (_, step) => {
    if (step > 0) price = Math.max(1, price * (1 + (random() - 0.5) * 0.01));
    return price;
  });
}

/** A market that shows these prices, and their candles as of the step that it shows. */
export function steppedMarket(prices: readonly (readonly number[])[], stepNow: () => number): MarketData {
  let shown: { step: number; snapshot: MarketSnapshot } | undefined;

  function show(step: number): MarketSnapshot {
    const coins = prices.map((list, index) =>
      coinWith({ id: index + 1, name: `Coin ${index + 1}`, symbol: `C${index + 1}`, usd: { price: list[step] ?? 0 } }),
    );
    return { source: { name: 'Drawn', demo: false, asOf: new Date(BEGIN + step * STEP).toISOString() }, coins };
  }

  const candles = (id: number) => {
    const list = (prices[id - 1] ?? []).slice(0, stepNow() + 1);
    return Array.from({ length: Math.ceil(list.length / STEPS_PER_HOUR) }, (_, hour) => {
      const part = list.slice(hour * STEPS_PER_HOUR, (hour + 1) * STEPS_PER_HOUR);
      const [open = 0, close = 0] = [part[0], part.at(-1)];
      return { time: BEGIN + hour * HOUR, open, high: Math.max(...part), low: Math.min(...part), close, volume: 0 };
    });
  };
  const hours = async (id: number) => ({ source: 'Drawn candles', candles: candles(id), asOf: BEGIN + stepNow() * STEP, stale: false });
  return {
    ...stillMarket(),
    drawn: undefined,
    history: { hours, days: hours, prices: async () => new Map() },
    async snapshot() {
      const step = stepNow();
      if (shown?.step !== step) shown = { step, snapshot: show(step) };
      return shown.snapshot;
    },
  };
}
