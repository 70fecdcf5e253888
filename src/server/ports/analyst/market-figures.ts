import type { Figures, Perpetual } from '#domain/analyst/figures.ts';
import { SECOND } from '#domain/clock.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import { withDeadline } from '#server/with-deadline.ts';
import type { MarketData } from '../market-data/market-data.ts';

/** How long an answer waits for a provider's candles, or for an exchange, ms. */
const PATIENCE = 3 * SECOND;

/**
 * What the analyst's rules know on the server. Candles that do not come in time count as none.
 * @param perpetual reads the perpetual future of BTC; undefined where the exchange gives no figures of it
 */
export const marketFigures = (market: MarketData, perpetual?: () => Promise<Perpetual>): Figures => ({
  listing: () => market.snapshot(),
  names: () => market.searchMap(),
  coin: async (id) => (await market.details(id))?.coin,
  async days(coinId) {
    const series = await withDeadline(PATIENCE, undefined, async () =>
      market.drawn ? market.drawn.candles(coinId, '1d') : market.history?.days(coinId),
    ).catch(() => undefined);
    if (!series || series.candles.length === 0) return undefined;
    return { source: series.source, demo: 'demo' in series && series.demo, candles: series.candles };
  },
  perpetual: async (coinId) => {
    if (coinId !== BITCOIN || !perpetual) return 'none';
    return withDeadline(PATIENCE, undefined, perpetual).catch(() => 'away' as const);
  },
  bitcoinHours: () => market.btcCandles(),
});
