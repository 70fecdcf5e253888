/** What the journal says, in words for the bot's user. */
import type { LedgerTrade } from '../positions/ledger.ts';
import { pnlOf } from '../positions/ledger.ts';

const grouped = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
export const usd = (amount: number): string => `${grouped.format(amount)} USD`;
const btc = (quantity: number): string => `${Number(quantity.toFixed(8))} BTC`;

/** Of an order; why is in the exchange adapter's words, or a code. */
export const refusedText = (why: string | null): string =>
  `The exchange refused an order${why === null ? '' : `: ${why.replace(/\.$/, '')}`}.`;

const REASONS: Record<string, string> = {
  target: 'at its target',
  stop: 'at its stop',
  liquidation: 'by liquidation',
  time: 'because it was held long enough',
  trend: 'because the trend turned',
  stopped: 'because the bot was stopped',
  unprotected: 'because no stop could be set',
  'by hand': 'at the exchange, not by this bot',
};

export const openedText = (
  { side, quantity, entryPrice }: LedgerTrade,
  rests: { stop: number | null; target: number | null } | null,
): string => {
  const stop = rests?.stop ? `, stop at ${usd(rests.stop)}` : '';
  const target = rests?.target ? `, target at ${usd(rests.target)}` : '';
  return `Opened a ${side} position: ${btc(quantity)} at ${usd(entryPrice)}${stop}${target}.`;
};

export const closedText = (trade: LedgerTrade): string => {
  const pnl = pnlOf(trade);
  const result = pnl < 0 ? `a loss of ${usd(-pnl)}` : `a profit of ${usd(pnl)}`;
  return `Closed the ${trade.side} position ${REASONS[trade.reason ?? ''] ?? trade.reason} at ${usd(trade.exitPrice ?? 0)}: ${result}, fees and funding counted.`;
};
