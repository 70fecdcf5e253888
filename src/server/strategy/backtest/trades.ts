import type { BookFill } from '../matching/types.ts';

/** A position from its opening to its end. Times in ms UTC, prices and amounts in USD, the quantity in BTC. */
export interface Trade {
  openedAt: number;
  closedAt: number;
  side: 'long' | 'short';
  entry: number;
  exit: number;
  quantity: number;
  /** Fees and funding taken off. */
  pnl: number;
  fees: number;
  /** What holding brought (negative: cost). */
  funding: number;
  reason: string;
}

export interface TradeLog {
  /** Takes fills in order; `reason` is why an order of ours closed. Answers with the trades that these ended. */
  add(fills: readonly BookFill[], reason: string | undefined): Trade[];
  trades(): Trade[];
}

/** Puts fills together to trades: one opening each, one closing. */
export function createTradeLog(): TradeLog {
  const trades: Trade[] = [];
  let open: Omit<Trade, 'closedAt' | 'exit' | 'reason'> | undefined;

  function take(fill: BookFill, reason: string | undefined): Trade | undefined {
    if (fill.reason === 'funding') {
      if (open) open.funding += fill.realised;
      return undefined;
    }
    if (!open) {
      const { at: openedAt, direction, price: entry, quantity, fee: fees } = fill;
      open = { openedAt, side: direction === 'buy' ? 'long' : 'short', entry, quantity, fees, funding: 0, pnl: 0 };
      return undefined;
    }
    const facts = open;
    open = undefined;
    const fees = facts.fees + fill.fee;
    const pnl = fill.realised + facts.funding - fees;
    return {
      ...facts,
      closedAt: fill.at,
      exit: fill.price,
      pnl,
      fees,
      reason: fill.reason === 'order' ? (reason ?? 'order') : fill.reason,
    };
  }

  return {
    add(fills, reason) {
      const ended = fills.flatMap((fill) => take(fill, reason) ?? []);
      trades.push(...ended);
      return ended;
    },
    trades: () => trades,
  };
}
