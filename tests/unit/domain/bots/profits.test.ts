import { expect, it } from 'vitest';
import { roundToCents, sumOfCents } from '#domain/bots/bot-amounts.ts';
import { profitByDay, profitByMonth } from '#domain/bots/profits.ts';
import { HOUR } from '#domain/clock.ts';
import { createRandom } from '#domain/random.ts';

it('adds up trades by the UTC day and month on which they closed, the last first', () => {
  const days = profitByDay([
    { pnl: 5, closedAt: new Date('2026-02-28T23:59:59.999Z') },
    { pnl: -2.505, closedAt: new Date('2026-03-01T00:00:00Z') },
    { pnl: 1, closedAt: new Date('2026-03-01T23:59:00Z') },
    { pnl: 4, closedAt: new Date('2026-03-31T12:00:00Z') },
  ]);
  expect(days).toEqual([
    { day: '2026-03-31', profit: 4, trades: 1 },
    { day: '2026-03-01', profit: -1.51, trades: 2 },
    { day: '2026-02-28', profit: 5, trades: 1 },
  ]);
  expect(profitByMonth(days)).toEqual([
    { month: '2026-03', profit: 2.49, trades: 3 },
    { month: '2026-02', profit: 5, trades: 1 },
  ]);
});

it('adds days and months up to the sum of the shown trades, to the cent', () => {
  const random = createRandom(3);
  const trades = Array.from({ length: 3000 }, (_, index) => ({
    pnl: (random() - 0.48) * 300,
    closedAt: new Date(Date.UTC(2025, 0, 1) + index * 5 * HOUR),
  }));
  const shown = sumOfCents(trades.map(({ pnl }) => roundToCents(pnl)));
  const days = profitByDay(trades);
  expect(sumOfCents(days.map(({ profit }) => profit))).toBe(shown);
  expect(sumOfCents(profitByMonth(days).map(({ profit }) => profit))).toBe(shown);
});
