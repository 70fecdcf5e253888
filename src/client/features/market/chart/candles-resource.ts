import { call } from '#client/platform/api/call.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import { type DailyCandles, dailyCandlesAnswer } from '#contract/market/chart-candles.ts';

/** The daily candles of a coin. */
export const candlesResource: Resource<{ id: number }, DailyCandles, DailyCandles> = {
  key: ({ id }) => `candles/${id}`,

  async fetch({ id }) {
    const { data } = await call(`/coin-market/candles/${id}`, { answer: dailyCandlesAnswer });
    return data;
  },

  show: (history) => history,

  async write(db, { id }, history) {
    await db.candles.put({ ...history, id });
  },

  read: (db, { id }) => db.candles.get(id),
};
