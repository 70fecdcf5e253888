import { expect, it } from 'vitest';
import { chartSummary, linesOf, marksOf } from '#client/features/bots/chart/chart-marks.ts';
import type { ChartTrade } from '#contract/bots/bot-chart.ts';
import { HIDDEN_AMOUNTS, SHOWN_AMOUNTS } from '#domain/bots/bot-amounts.ts';
import { HOUR } from '#domain/clock.ts';

const candles = [10, 11, 12].map((hour) => ({ time: hour * HOUR, open: 1, high: 2, low: 1, close: 2, volume: 1 }));
const trade = (changes: Partial<ChartTrade>): ChartTrade => ({
  id: 'a',
  side: 'long',
  entry_price: 1,
  opened: 0,
  closed: null,
  ...changes,
});
const closed = (at: number, pnl: number) => ({ at, price: 2, pnl, reason: 'stop' });

it('marks entries and exits at their candles, oldest first, and none before the first candle', () => {
  const trades = [
    trade({ opened: 12 * HOUR + 5, side: 'short', closed: closed(12 * HOUR + 9, 4) }),
    trade({ opened: 3 * HOUR, closed: closed(11 * HOUR + 1, -2) }),
  ];
  expect(marksOf({ candles, trades, interval: HOUR, levels: [] }, { speed: null }, SHOWN_AMOUNTS)).toEqual([
    { time: 11 * HOUR, shape: 'arrowDown', tone: 'down', text: '-$2.00' },
    { time: 12 * HOUR, shape: 'arrowDown', tone: 'ink-2', text: 'Short' },
    { time: 12 * HOUR, shape: 'arrowUp', tone: 'up', text: '+$4.00' },
  ]);
  const hidden = marksOf({ candles, trades, interval: HOUR, levels: [] }, { speed: null }, HIDDEN_AMOUNTS);
  expect(hidden.map(({ text }) => text)).toEqual(['•••', 'Short', '•••']);
});

it('marks the candle where paper money changed to these prices, and says so', () => {
  const chart = { candles, trades: [], interval: HOUR, levels: [] };
  const changed = { ...chart, prices_began: 11 * HOUR + 5 };
  const mark = (text: string) => ({ time: 11 * HOUR, shape: 'square', tone: 'ink-2', text });
  expect(marksOf(changed, { speed: null }, SHOWN_AMOUNTS)).toEqual([mark('Live prices')]);
  expect(marksOf(changed, { speed: 60 }, SHOWN_AMOUNTS)).toEqual([mark('Replay')]);
  expect(marksOf({ ...chart, prices_began: 9 * HOUR }, { speed: null }, SHOWN_AMOUNTS)).toEqual([]);
  expect(chartSummary(changed, { speed: null }, [])).toMatch(
    /Live prices since Jan 1, 1970, 11:00 AM UTC\. Earlier trades are only in the table\.$/,
  );
  for (const prices_began of [null, undefined, 9 * HOUR])
    expect(chartSummary({ ...chart, prices_began }, { speed: null }, [])).toMatch(/No open position\.$/);
});

it('explains the dates of a replay', () => {
  const words = (speed: number) => chartSummary({ candles, trades: [], interval: HOUR, levels: [] }, { speed }, []);
  expect(words(1)).toMatch(/Replay time is the replay's own clock\.$/);
  expect(words(60)).toMatch(/Replay time is the replay's own clock, which runs 60 times as fast\.$/);
});

it('draws only the prices that the position has', () => {
  const titles = (stop_price: number | null, target_price: number | null) =>
    linesOf({ entry_price: 1, stop_price, target_price }).map(({ title }) => title);
  expect(linesOf(null)).toEqual([]);
  expect(titles(null, null)).toEqual(['Entry']);
  expect(titles(1, 2)).toEqual(['Entry', 'Stop', 'Target']);
});
