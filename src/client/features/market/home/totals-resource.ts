import { call } from '#client/platform/api/call.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import type { MarketTotals } from '#contract/market/totals.ts';

const KEY = 'market/totals';
const answer = () => import('#contract/market/totals.ts').then(({ marketTotalsAnswer }) => marketTotalsAnswer);

/** The sums of the market. */
export const totalsResource: Resource<Record<never, never>, MarketTotals, MarketTotals> = {
  key: () => KEY,

  fetch: async () => (await call('/coin-market/global', { answer })).data,

  isRemembered: true,

  show: (totals) => totals,

  write: async (db, _params, totals) => {
    await db.coinLists.put({ key: KEY, ids: [], source: totals.source, totals });
  },

  read: async (db) => (await db.coinLists.get(KEY))?.totals,
};
