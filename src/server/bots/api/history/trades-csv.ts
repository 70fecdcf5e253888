import type { BotTrade } from '#contract/bots/bot.ts';

const COLUMNS = [
  'closed_at',
  'opened_at',
  'side',
  'quantity_btc',
  'entry_price_usd',
  'exit_price_usd',
  'profit_usd',
  'fees_usd',
  'funding_usd',
  'reason',
  'trade_id',
];

/** First line of a file of trades. */
export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** Writes a trade as a line of CSV (RFC 4180). Times are ISO 8601 in UTC. */
export const csvLine = (trade: BotTrade): string =>
  `${[
    trade.closed_at,
    trade.opened_at,
    textCell(trade.side),
    trade.quantity,
    trade.entry_price,
    trade.exit_price,
    trade.pnl,
    trade.fees,
    trade.funding,
    textCell(trade.reason),
    textCell(trade.id),
  ].join(',')}\r\n`;

/** Quotes a text. An apostrophe keeps spreadsheets from reading it as a formula. */
function textCell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
