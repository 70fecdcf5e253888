import type { BookFill } from '../matching/types.ts';

/** A position from opening to close. Times in ms UTC, prices and amounts in USD, quantity in BTC. */
export interface Trade {
  openedAt: number;
  closedAt: number;
  side: 'long' | 'short';
  entry: number;
  exit: number;
  quantity: number;
  /** Net of fees and funding. */
  pnl: number;
  fees: number;
  /** Funding received; negative if paid. */
  funding: number;
  reason: string;
}

export interface TradeLog {
  /** Adds fills in order and returns the trades that they close. `reason` is why the bot's own order closed one. */
  add(fills: readonly BookFill[], reason: string | undefined): Trade[];
  trades(): Trade[];
  /** Returns the position that is still open. */
  open(): Pick<Trade, 'side' | 'openedAt'> | undefined;
}

/** Creates a ledger that builds trades from fills. Each trade has one opening and one closing. */
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
    open: () => open,
  };
}

/** Returns each trade with the bot's money when it opened, USD. */
export function withCapital<T extends Pick<Trade, 'pnl'>>(trades: readonly T[], capital: number): (T & { capital: number })[] {
  let money = capital;
  return trades.map((trade) => {
    const before = money;
    money += trade.pnl;
    return { ...trade, capital: before };
  });
}
