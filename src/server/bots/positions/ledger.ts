import type { ExchangeFill } from '#server/ports/exchange/exchange.ts';
import type { RecordedTrade } from '../store/trades.ts';

/** A position from opening to close, built from the exchange's fills. USD, BTC, ms of the feed's time. */
export interface LedgerTrade extends Omit<RecordedTrade, 'pnl'> {
  /** The quantity that is still held. */
  left: number;
  /** Before fees and funding. */
  realised: number;
  /** Every change of the bot's money. */
  payments: readonly { at: number; amount: number }[];
}

/** Returns what a bot's order was for; undefined for an order that is not the bot's. */
export type PurposeOf = (clientId: string) => { purpose: 'entry' | 'close' | 'target' | 'stop'; reason: string | null } | undefined;

interface OpenTrade {
  entryId: string;
  side: 'long' | 'short';
  openedAt: number;
  bought: { quantity: number; value: number };
  sold: { quantity: number; value: number };
  /** Quantity that the account's owner added to the position and still holds. */
  others: number;
  /** Whether the account's owner ever added to the position. */
  shared: boolean;
  realised: number;
  fees: number;
  funding: number;
  payments: { at: number; amount: number }[];
}

/** A smaller remainder is floating-point noise, BTC. */
const QUANTITY_NOISE = 1e-9;

/** Mean price, rounded to remove floating-point noise; null without a quantity. */
const mean = ({ quantity, value }: OpenTrade['bought']): number | null => (quantity > 0 ? Number((value / quantity).toFixed(8)) : null);

/**
 * Builds the bot's trades from fills, oldest first; only the last one may be open. The first fill must be one before which the bot
 * held nothing. Positions that the account's owner opens, and what they add to the bot's, are left out.
 */
export function readTrades(fills: readonly ExchangeFill[], purposeOf: PurposeOf): LedgerTrade[] {
  const trades: LedgerTrade[] = [];
  let open: OpenTrade | null = null;
  for (const fill of fills) {
    const order = fill.clientId === null ? undefined : purposeOf(fill.clientId);
    if (!open) {
      if (order?.purpose !== 'entry' || fill.clientId === null) continue;
      open = openTrade(fill, fill.clientId);
    }
    const payment = addFill(open, fill, order !== undefined, order?.purpose === 'entry');
    if (payment !== null) open.payments.push({ at: fill.at, amount: payment });
    if (leftOf(open) > 0) continue;
    const reason = fill.reason === 'order' ? (order?.reason ?? 'by hand') : fill.reason;
    trades.push({ ...toLedgerTrade(open), closedAt: fill.at, reason });
    open = null;
  }
  return open ? [...trades, toLedgerTrade(open)] : trades;
}

/** Adds the bot's part of a fill to its open trade. Returns what that paid, net of costs, in USD; null if no part is the bot's. */
function addFill(open: OpenTrade, fill: ExchangeFill, isOwn: boolean, isEntry: boolean): number | null {
  const { quantity, price, fee } = fill;
  const left = leftOf(open);
  if (fill.reason === 'funding') {
    const paid = fill.realised * (left / (left + open.others));
    open.funding += paid;
    return paid;
  }
  if ((fill.direction === 'buy') === (open.side === 'long')) {
    if (!isEntry) {
      open.others += quantity;
      open.shared = true;
      return null;
    }
    add(open.bought, quantity, price);
    open.fees += fee;
    open.realised += fill.realised;
    return fill.realised - fee;
  }
  // A close by hand reduces the owner's part first.
  const theirs = isOwn ? 0 : Math.min(open.others, quantity);
  const own = Math.min(left, quantity - theirs);
  const isMixed = open.shared || quantity - own > QUANTITY_NOISE;
  const sign = open.side === 'long' ? 1 : -1;
  const realised = isMixed ? sign * (price - (mean(open.bought) ?? price)) * own : fill.realised;
  const cost = isMixed ? fee * (own / quantity) : fee;
  open.others -= theirs;
  add(open.sold, own, price);
  open.realised += realised;
  open.fees += cost;
  return own > 0 ? realised - cost : null;
}

function add(part: OpenTrade['bought'], quantity: number, price: number): void {
  part.quantity += quantity;
  part.value += quantity * price;
}

function leftOf({ bought, sold }: Pick<OpenTrade, 'bought' | 'sold'>): number {
  const left = bought.quantity - sold.quantity;
  return left > QUANTITY_NOISE ? left : 0;
}

const openTrade = ({ direction, at }: ExchangeFill, entryId: string): OpenTrade => ({
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

const toLedgerTrade = ({ bought, sold, others: _, shared: __, ...open }: OpenTrade): LedgerTrade => ({
  ...open,
  quantity: bought.quantity,
  left: Number(leftOf({ bought, sold }).toFixed(8)),
  entryPrice: mean(bought) ?? 0,
  exitPrice: mean(sold),
  closedAt: null,
  reason: null,
});

/** Returns a trade's profit net of fees and funding; an open trade has its costs so far. */
export const pnlOf = ({ realised, fees, funding }: Pick<LedgerTrade, 'realised' | 'fees' | 'funding'>): number => realised - fees + funding;

/** Returns a trade as the database keeps it. */
export const toRecord = ({ left: _, realised, payments: __, ...trade }: LedgerTrade): RecordedTrade => ({
  ...trade,
  pnl: pnlOf({ ...trade, realised }),
});
