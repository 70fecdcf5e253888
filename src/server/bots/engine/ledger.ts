import type { ExchangeFill } from '../../ports/exchange/exchange';

/** A position from opening to close, as the exchange's fills tell it. USD, BTC, ms of the feed's time. */
export interface LedgerTrade {
  /** Our order that opened it. */
  entryId: string;
  side: 'long' | 'short';
  quantity: number;
  entryPrice: number;
  /** Mean of what was closed so far; null before the first of it. */
  exitPrice: number | null;
  /** Before fees and funding. */
  realised: number;
  fees: number;
  funding: number;
  openedAt: number;
  /** Null while it is open. */
  closedAt: number | null;
  reason: string | null;
  /** What changed the bot's money, and when. */
  payments: readonly { at: number; amount: number }[];
}

/** What an order of ours was for; undefined for an order that is not ours. */
export type PurposeOf = (clientId: string) => { purpose: 'entry' | 'close' | 'target' | 'stop'; reason: string | null } | undefined;

interface Open {
  entryId: string;
  side: 'long' | 'short';
  openedAt: number;
  bought: { quantity: number; value: number };
  sold: { quantity: number; value: number };
  realised: number;
  fees: number;
  funding: number;
  payments: { at: number; amount: number }[];
}

/** Below this a rest is dust of binary fractions, BTC. */
const DUST = 1e-9;

/** Mean price of what changed hands, without the dust of binary fractions; null where nothing did. */
const mean = ({ quantity, value }: Open['bought']): number | null => (quantity > 0 ? Number((value / quantity).toFixed(8)) : null);

/**
 * The trades in a stretch of fills, oldest first, that begins while nothing is held; the last one may be open. A position
 * that no order of ours opened is nobody's business here.
 */
export function readTrades(fills: readonly ExchangeFill[], purposeOf: PurposeOf): LedgerTrade[] {
  const trades: LedgerTrade[] = [];
  let open: Open | null = null;
  for (const fill of fills) {
    const order = fill.clientId === null ? undefined : purposeOf(fill.clientId);
    if (!open) {
      if (order?.purpose !== 'entry' || fill.clientId === null) continue;
      open = begin(fill, fill.clientId);
    }
    const adds = (fill.direction === 'buy') === (open.side === 'long');
    if (fill.reason === 'funding') open.funding += fill.realised;
    else {
      if (adds && order?.purpose !== 'entry') continue;
      const part = adds ? open.bought : open.sold;
      part.quantity += fill.quantity;
      part.value += fill.quantity * fill.price;
      open.realised += fill.realised;
      open.fees += fill.fee;
    }
    open.payments.push({ at: fill.at, amount: fill.realised - fill.fee });
    if (open.bought.quantity - open.sold.quantity > DUST) continue;
    const reason = fill.reason === 'order' ? (order?.reason ?? 'by hand') : fill.reason;
    trades.push({ ...told(open), closedAt: fill.at, reason });
    open = null;
  }
  return open ? [...trades, told(open)] : trades;
}

const begin = ({ direction, at }: ExchangeFill, entryId: string): Open => ({
  entryId,
  side: direction === 'buy' ? 'long' : 'short',
  openedAt: at,
  bought: { quantity: 0, value: 0 },
  sold: { quantity: 0, value: 0 },
  realised: 0,
  fees: 0,
  funding: 0,
  payments: [],
});

const told = ({ bought, sold, ...open }: Open): LedgerTrade => ({
  ...open,
  quantity: bought.quantity,
  entryPrice: mean(bought) ?? 0,
  exitPrice: mean(sold),
  closedAt: null,
  reason: null,
});

/** What it brought, fees and funding taken off; of an open one what it cost so far. */
export const pnlOf = ({ realised, fees, funding }: LedgerTrade): number => realised - fees + funding;
