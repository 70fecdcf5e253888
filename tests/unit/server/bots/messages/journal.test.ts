import { expect, test } from 'vitest';
import { roundToCents } from '#domain/bots/bot-amounts.ts';
import { toTrade } from '#server/bots/api/report.ts';
import { closedText } from '#server/bots/messages/journal.ts';

test.each([
  [1234.565, 'a profit of 1,234.57 USD'],
  [1.005, 'a profit of 1.01 USD'],
  [-1.005, 'a loss of 1.01 USD'],
  [-0.004, 'a loss of 0.00 USD'],
])('the journal tells the cents of the table of trades for %d USD', (pnl, result) => {
  const row = { side: 'long', quantity: 1, entryPrice: 60_000, exitPrice: 61_000, pnl, fees: pnl, funding: pnl, reason: 'target' } as const;
  expect(closedText(row)).toBe(`Closed the long position at its target at 61,000.00 USD: ${result}, fees and funding included.`);
  const trade = toTrade({ ...row, openedAt: new Date(0), closedAt: new Date(1) } as never);
  const cents = roundToCents(pnl);
  expect(trade).toMatchObject({ pnl: cents, fees: cents, funding: cents });
});

test.each([
  ['adl', 'by auto-deleveraging'],
  ['liquidation', 'by liquidation'],
  ['feed', 'because the prices of paper money changed between live and replay,'],
  ['unexplained', 'without a report by the exchange, probably'],
])('the journal names the reason "%s"', (reason, words) => {
  const text = closedText({ side: 'short', exitPrice: 60_000, pnl: 1, reason });
  expect(text).toContain(`Closed the short position ${words} at 60,000.00 USD`);
});
