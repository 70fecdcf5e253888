import { call } from '#client/platform/api/call.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import { candlesKey } from '#client/platform/db/stored-days.ts';
import type { CandlesRow, UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { type ChartCandles, type ChartPeriod, chartCandlesAnswer } from '#contract/market/chart-candles.ts';
import { CHART_PERIODS } from '#contract/market/choices.ts';
import { PERIOD_SPANS } from './coin-chart-periods.ts';

interface CandlesParams {
  id: number;
  period: ChartPeriod;
}

/** Charts on a device: those of the watchlist, and as many that the user has opened. */
export const MAX_CHARTS = 100;

const keyOf = ({ id, period }: CandlesParams) => candlesKey(id, period);

/** Longer periods with candles of the same length, the shortest first. */
const LONGER: Record<ChartPeriod, readonly ChartPeriod[]> = {
  '1D': ['7D'],
  '7D': [],
  '1M': ['3M', '1Y', 'ALL'],
  '3M': ['1Y', 'ALL'],
  '1Y': ['ALL'],
  ALL: [],
};

/** The candles of a coin in a period. */
export const candlesResource: Resource<CandlesParams, ChartCandles, ChartCandles> = {
  key: keyOf,

  async fetch({ id, period }) {
    const { data } = await call(`/coin-market/candles/${id}?period=${period}`, { answer: chartCandlesAnswer });
    return data;
  },

  show: (history) => history,

  async write(db, params, history) {
    await db.candles.put({ ...history, id: keyOf(params) });
    // An earlier answer of a shorter period would hide this one, which has newer candles of that period.
    const shorter = CHART_PERIODS.filter((period) => LONGER[period].includes(params.period));
    const hidden = shorter.map((period) => keyOf({ ...params, period }));
    await Promise.all([db.candles.bulkDelete(hidden), db.stamps.bulkDelete(hidden)]);
    await dropOldest(db, keyOf(params));
  },

  async read(db, params) {
    return (await db.candles.get(keyOf(params))) ?? (await fromLonger(db, params));
  },
};

/** Keeps `MAX_CHARTS`: drops the charts that were loaded the longest ago, never `key`. */
async function dropOldest(db: UserTables, key: string): Promise<void> {
  const keys = (await db.candles.toCollection().primaryKeys()).filter((each) => each !== key);
  const surplus = keys.length + 1 - MAX_CHARTS;
  if (surplus <= 0) return;
  const stamps = await db.stamps.bulkGet(keys);
  const age = new Map(keys.map((each, at) => [each, stamps[at]?.savedAt ?? 0]));
  const oldest = keys.sort((a, b) => (age.get(a) ?? 0) - (age.get(b) ?? 0)).slice(0, surplus);
  await Promise.all([db.candles.bulkDelete(oldest), db.stamps.bulkDelete(oldest)]);
}

/** Returns the end of a longer period that the device has. */
async function fromLonger(db: UserDb, { id, period }: CandlesParams): Promise<CandlesRow | undefined> {
  const rows = await db.candles.bulkGet(LONGER[period].map((each) => keyOf({ id, period: each })));
  const row = rows.find((each) => each !== undefined);
  if (!row) return undefined;
  const begin = Date.parse(row.asOf) - PERIOD_SPANS[period];
  return { ...row, candles: row.candles.filter(({ time }) => time + row.interval > begin) };
}
