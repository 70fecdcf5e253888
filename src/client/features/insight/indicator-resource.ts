import { call } from '#client/platform/api/call.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import { type Indicator, indicatorAnswer, type Timeframe } from '#contract/market/indicator.ts';

/** BTC's candles of one length, with the strategy's levels and signal. */
export const indicatorResource: Resource<{ timeframe: Timeframe }, Indicator, Indicator> = {
  key: ({ timeframe }) => `indicator/${timeframe}`,
  fetch: async ({ timeframe }) => (await call(`/indicator/${timeframe}`, { answer: indicatorAnswer })).data,
  show: (indicator) => indicator,
  write: async (db, _params, indicator) => {
    await db.indicators.put(indicator);
  },
  read: (db, { timeframe }) => db.indicators.get(timeframe),
};
