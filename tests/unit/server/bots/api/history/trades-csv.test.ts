import { expect, it } from 'vitest';
import type { BotTrade } from '#contract/bots/bot.ts';
import { CSV_HEADER, csvLine } from '#server/bots/api/history/trades-csv.ts';

const trade: BotTrade = {
  id: 'trade-1',
  side: 'short',
  quantity: 0.013,
  entry_price: 61_000.5,
  exit_price: 60_000,
  pnl: -9.4,
  fees: 0.6,
  funding: -0.02,
  reason: 'target',
  opened_at: '2026-03-01T00:10:00.000Z',
  closed_at: '2026-03-01T00:40:00.000Z',
};

it('writes times in UTC and numbers as numbers, also negative ones', () => {
  const names = CSV_HEADER.trimEnd().split(',');
  const cells = csvLine(trade).trimEnd().split(',');
  expect(Object.fromEntries(names.map((name, index) => [name, cells[index]]))).toEqual({
    closed_at: '2026-03-01T00:40:00.000Z',
    opened_at: '2026-03-01T00:10:00.000Z',
    side: 'short',
    quantity_btc: '0.013',
    entry_price_usd: '61000.5',
    exit_price_usd: '60000',
    profit_usd: '-9.4',
    fees_usd: '0.6',
    funding_usd: '-0.02',
    reason: 'target',
    trade_id: 'trade-1',
  });
});

it.each([
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r\n=1', `"'\r\n=1"`],
  ['a, b', '"a, b"'],
])('neutralizes the text %j', (reason, cell) => {
  expect(csvLine({ ...trade, reason })).toContain(`,${cell},`);
});
