import type { Transaction } from 'dexie';
import type { ChartCandles, DailyCandles } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';

/** Gives rows of versions up to 8, which are all daily candles of a coin by its id, their key of today. */
export async function nameCandles(upgrade: Transaction): Promise<void> {
  const candles = upgrade.table('candles');
  const rows: (DailyCandles & { id: number | string })[] = await candles.toArray();
  for (const { id, ...history } of rows) {
    if (typeof id !== 'number') continue;
    const last = history.candles.at(-1);
    const named: ChartCandles = { ...history, interval: DAY, demo: false, asOf: new Date(last?.time ?? 0).toISOString() };
    if (last) await candles.put({ ...named, id: `candles/${id}/ALL` });
    await candles.delete(id);
    await upgrade.table('stamps').delete(`candles/${id}`);
  }
}
