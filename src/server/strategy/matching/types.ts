/** Types of the simulated exchange, which backtests and the paper exchange share. Prices in USD, quantities in BTC. */

export interface Rules {
  leverage: number;
  /** Fractions of the traded value. */
  takerFee: number;
  makerFee: number;
  /** Slippage of market orders and triggered stops, as a fraction of the price. */
  slippage: number;
  /** Margin below which a position is liquidated, as a fraction of its value. */
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
  /** Stop and target of the position that the order opens. */
  stop?: number | undefined;
  target?: number | undefined;
}

/**
 * The outcome of an order. A partial fill that cannot continue is `cancelled` with what it filled.
 * `reject` is a code of codes.ts.
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
  reason: 'order' | 'stop' | 'target' | 'liquidation' | 'funding' | 'feed';
  direction: 'buy' | 'sell';
  quantity: number;
  price: number;
  fee: number;
  /** Realized profit before fees, USD; for funding the payment, negative if paid. */
  realised: number;
}

/** What happened in a step, in order: fills, and the orders that they changed. */
export interface BookStep {
  fills: BookFill[];
  orders: OrderResult[];
}

/** The prices of a period: a candle, or a part of one. */
export interface Stretch {
  /** Start, ms. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
}

/**
 * An account with isolated margin and one-way mode. Prices inside a stretch come in the worst order for the holder: the stop or
 * liquidation before the target. Profits, losses, fees and funding add up to the balance to the cent.
 */
export interface Book {
  /** Fills a market order at once at `price` plus slippage; limit and stop-market orders rest. */
  submit(order: BookOrder, price: number, at: number): BookStep & { order: OrderResult };
  /** Cancels a resting order; undefined if there is none with this id. */
  cancel(clientId: string): OrderResult | undefined;
  /** Sets stop and target of the open position, if there is one. */
  protect(stop: number | null, target: number | null): void;
  /** Throws while a position or an order is open. */
  setLeverage(leverage: number): void;
  /** Moves through a stretch. `funding` is the rate due at its start. */
  advance(stretch: Stretch, funding?: number): BookStep;
  /** Closes the position at `price` and cancels all orders, because the market's feed ends. */
  end(price: number, at: number): BookStep;
  position(): BookPosition | null;
  openOrders(): readonly BookOrder[];
  /** Free money and margin, without the open position's profit; USD. */
  balance(): number;
  /** Balance with the open position's profit, USD. A position never loses more than its margin. */
  equity(markPrice: number): number;
  /** Returns plain JSON, which `createBook` accepts. */
  state(): BookState;
}

/** The stored form of a book, in whole units (units.ts). */
export interface BookState {
  rules: Rules;
  balance: number;
  position: Holding | null;
  /** Oldest first. */
  orders: Resting[];
  /** Time of the last order, ms: its effects cannot be earlier. */
  touchedAt: number;
}

/** A position in units. */
export interface Holding {
  side: 'long' | 'short';
  steps: number;
  /** Cost at its entry prices. */
  cost: number;
  /** The part of the balance that the position may lose. */
  margin: number;
  stop: number | null;
  target: number | null;
  openedAt: number;
}

/** A resting order in units. */
export interface Resting {
  clientId: string;
  direction: 'buy' | 'sell';
  type: 'limit' | 'stop-market';
  steps: number;
  /** Limit or trigger. */
  level: number;
  reduceOnly: boolean;
  stop: number | null;
  target: number | null;
}
