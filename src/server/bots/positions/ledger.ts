import type { ExchangeFill } from '#server/ports/exchange/exchange.ts';

/** A position from opening to close, as the exchange's fills tell it. USD, BTC, ms of the feed's time. */
export interface LedgerTrade {
  /** Our order that opened it. */
  entryId: string;
  side: 'long' | 'short';
  quantity: number;
  /** What of it is still held. */
  left: number;
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
  /** What others added to the position, and hold with it; whether they ever did. */
  others: number;
  shared: boolean;
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
 * that no order of ours opened is nobody's business here, and neither is what somebody adds to one of ours.
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
    const payment = take(open, fill, order !== undefined, order?.purpose === 'entry');
    if (payment !== null) open.payments.push({ at: fill.at, amount: payment });
    if (leftOf(open) > 0) continue;
    const reason = fill.reason === 'order' ? (order?.reason ?? 'by hand') : fill.reason;
    trades.push({ ...told(open), closedAt: fill.at, reason });
    open = null;
  }
  return open ? [...trades, told(open)] : trades;
}

/** Adds to an open trade what of a fill is its own. What that brought, USD, costs taken off; null where nothing is. */
function take(open: Open, fill: ExchangeFill, ours: boolean, entry: boolean): number | null {
  const { quantity, price, fee } = fill;
  const left = leftOf(open);
  if (fill.reason === 'funding') {
    const paid = fill.realised * (left / (left + open.others));
    open.funding += paid;
    return paid;
  }
  if ((fill.direction === 'buy') === (open.side === 'long')) {
    if (!entry) {
      open.others += quantity;
      open.shared = true;
      return null;
    }
    add(open.bought, quantity, price);
    open.fees += fee;
    open.realised += fill.realised;
    return fill.realised - fee;
  }
  // What somebody does by hand counts for their part first.
  const theirs = ours ? 0 : Math.min(open.others, quantity);
  const own = Math.min(left, quantity - theirs);
  const mixed = open.shared || quantity - own > DUST;
  const sign = open.side === 'long' ? 1 : -1;
  const realised = mixed ? sign * (price - (mean(open.bought) ?? price)) * own : fill.realised;
  const cost = mixed ? fee * (own / quantity) : fee;
  open.others -= theirs;
  add(open.sold, own, price);
  open.realised += realised;
  open.fees += cost;
  return own > 0 ? realised - cost : null;
}

function add(part: Open['bought'], quantity: number, price: number): void {
  part.quantity += quantity;
  part.value += quantity * price;
}

function leftOf({ bought, sold }: Pick<Open, 'bought' | 'sold'>): number {
  const left = bought.quantity - sold.quantity;
  return left > DUST ? left : 0;
}

const begin = ({ direction, at }: ExchangeFill, entryId: string): Open => ({
  entryId,
  side: direction === 'buy' ? 'long' : 'short',
  openedAt: at,
  bought: { quantity: 0, value: 0 },
  sold: { quantity: 0, value: 0 },
  others: 0,
  shared: false,
  realised: 0,
  fees: 0,
  funding: 0,
  payments: [],
});

const told = ({ bought, sold, others: _, shared: __, ...open }: Open): LedgerTrade => ({
  ...open,
  quantity: bought.quantity,
  left: Number(leftOf({ bought, sold }).toFixed(8)),
  entryPrice: mean(bought) ?? 0,
  exitPrice: mean(sold),
  closedAt: null,
  reason: null,
});

/** What it brought, fees and funding taken off; of an open one what it cost so far. */
export const pnlOf = ({ realised, fees, funding }: LedgerTrade): number => realised - fees + funding;
