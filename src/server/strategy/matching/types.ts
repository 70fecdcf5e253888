/** The words of the simulated exchange that backtests and the paper exchange share. Prices in USD, quantities in BTC. */

export interface Rules {
  leverage: number;
  /** Fractions of the traded value. */
  takerFee: number;
  makerFee: number;
  /** How much worse than the price a market order (and a triggered stop) is filled, as a fraction. */
  slippage: number;
  /** Margin that must be left of a position's value before it is liquidated, as a fraction. */
  maintenance: number;
  quantityStep: number;
  priceStep: number;
}

export interface BookOrder {
  clientId: string;
  direction: 'buy' | 'sell';
  type: 'market' | 'limit' | 'stop-market';
  quantity: number;
  price?: number | undefined;
  trigger?: number | undefined;
  reduceOnly?: boolean | undefined;
  /** Attached to the position that it opens. */
  stop?: number | undefined;
  target?: number | undefined;
}

/**
 * What became of an order. One that was filled in part and could not go on is `cancelled` with what it filled.
 * `reject` is a code of the exchange (codes.ts).
 */
export interface OrderResult {
  clientId: string;
  state: 'open' | 'filled' | 'cancelled' | 'rejected';
  filled: number;
  price: number | null;
  fees: number;
  reject?: number;
}

export interface BookPosition {
  side: 'long' | 'short';
  quantity: number;
  entryPrice: number;
  stop: number | null;
  target: number | null;
  liquidationPrice: number;
  openedAt: number;
}

export interface BookFill {
  at: number;
  clientId: string | null;
  reason: 'order' | 'stop' | 'target' | 'liquidation' | 'funding';
  direction: 'buy' | 'sell';
  quantity: number;
  price: number;
  fee: number;
  /** USD realised, fee not taken off; of funding, what it brought (negative: cost). */
  realised: number;
}

/** What happened in a step, in its order: fills, and orders that changed by them. */
export interface BookStep {
  fills: BookFill[];
  orders: OrderResult[];
}

/** A stretch of time in which price was at these places: a candle, or what is left of one. */
export interface Stretch {
  /** When it begins, ms. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
}

/**
 * One isolated one-way account. Prices inside a stretch are taken in the order that is worst for who holds a position:
 * its stop (or liquidation) comes before its target where both lie in it. Whatever is lost, fees, funding and profit
 * add up to the balance to the cent.
 */
export interface Book {
  /** A market order is filled at `price` (slippage on top) at once; limit and stop-market orders rest. */
  submit(order: BookOrder, price: number, at: number): BookStep & { order: OrderResult };
  /** Undefined where no order of this id rests. */
  cancel(clientId: string): OrderResult | undefined;
  /** Sets what rests for the open position; nothing without one. */
  protect(stop: number | null, target: number | null): void;
  /** Throws while there is a position. */
  setLeverage(leverage: number): void;
  /** Moves through a stretch. `funding`: the rate that falls due at its beginning, if one does. */
  advance(stretch: Stretch, funding?: number): BookStep;
  position(): BookPosition | null;
  openOrders(): readonly BookOrder[];
  /** USD, free and in margin, without what is unrealised. */
  balance(): number;
  /** USD. What a position may lose ends with its margin. */
  equity(markPrice: number): number;
  /** Plain JSON; `createBook` takes it back. */
  state(): BookState;
}

/** A book as it is kept, in whole units (units.ts). */
export interface BookState {
  rules: Rules;
  balance: number;
  position: Holding | null;
  /** Oldest first. */
  orders: Resting[];
  /** When an order last came, ms: nothing of what it set off happened before. */
  touchedAt: number;
}

/** A position in units. */
export interface Holding {
  side: 'long' | 'short';
  steps: number;
  /** What was paid for it at its entry prices. */
  cost: number;
  /** The part of the balance that it may lose. */
  margin: number;
  stop: number | null;
  target: number | null;
  openedAt: number;
}

/** An order that waits for its price, in units. */
export interface Resting {
  clientId: string;
  direction: 'buy' | 'sell';
  type: 'limit' | 'stop-market';
  steps: number;
  /** The limit, or the trigger. */
  level: number;
  reduceOnly: boolean;
  stop: number | null;
  target: number | null;
}
