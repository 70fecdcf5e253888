import { expect, test } from 'vitest';
import { createAutoMarket } from '#server/ports/market-data/auto-market.ts';
import type { MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';

/** A market that shows its name, and that a test can take away. */
function namedMarket(name: string, demo: boolean) {
  const market = {
    isAway: false as boolean,
    asked: 0,
    async snapshot(): Promise<MarketSnapshot> {
      market.asked++;
      if (market.isAway) throw new Error('away');
      return { source: { name, demo, asOf: '2026-11-25T04:30:00.000Z' }, coins: [] };
    },
    ranking: async () => undefined,
    details: async () => undefined,
    searchMap: async () => [{ id: 1, name, symbol: 'BTC', rank: 1 }],
    known: () => [{ id: 1, name, symbol: 'BTC', rank: 1 }],
    btcCandles: async () => undefined,
  } satisfies MarketData & { isAway: boolean; asked: number };
  return market;
}

/** The name of what every method of the market shows. */
async function shownBy(market: MarketData): Promise<string[]> {
  const { source } = await market.snapshot();
  const [found] = await market.searchMap();
  return [source.name, found?.name ?? '', market.known()[0]?.name ?? ''];
}

test('the demo market shows at once while the exchanges have not answered, and never again afterwards', async () => {
  const demo = namedMarket('demo', true);
  const exchanges = namedMarket('exchanges', false);
  exchanges.isAway = true;
  const market = createAutoMarket({ demo, exchanges });
  expect(await shownBy(market)).toEqual(['demo', 'demo', 'demo']);
  expect(exchanges.asked).toBeGreaterThan(0);

  await new Promise(setImmediate);
  exchanges.isAway = false;
  market.known();
  await new Promise(setImmediate);
  expect(await shownBy(market)).toEqual(['exchanges', 'exchanges', 'exchanges']);

  exchanges.isAway = true;
  await expect(market.snapshot()).rejects.toThrow('away');
});

test('an exchange that hangs holds up no answer, and is asked once', async () => {
  const demo = namedMarket('demo', true);
  let asked = 0;
  const snapshot = (): Promise<never> => {
    asked++;
    return new Promise(() => undefined);
  };
  const market = createAutoMarket({ demo, exchanges: { ...namedMarket('exchanges', false), snapshot } });
  expect(await shownBy(market)).toEqual(['demo', 'demo', 'demo']);
  expect(await shownBy(market)).toEqual(['demo', 'demo', 'demo']);
  expect(asked).toBe(1);
});
