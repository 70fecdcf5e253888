import { describe, expect, it } from 'vitest';
import { createBook, newBook } from '#server/strategy/matching/book.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import type { Book, BookOrder, Rules, Stretch } from '#server/strategy/matching/types.ts';

const HONEST: Rules = { ...PERPETUAL, leverage: 10, slippage: 0, takerFee: 0.001, makerFee: 0.0005 };

const account = (balance: number, rules: Partial<Rules> = {}): Book => createBook(newBook({ balance, rules: { ...HONEST, ...rules } }));

const order = (facts: Partial<BookOrder> = {}): BookOrder => ({ clientId: 'a', direction: 'buy', type: 'market', quantity: 1, ...facts });

const candle = (open: number, high: number, low: number, close: number, time = 60_000): Stretch => ({ time, open, high, low, close });

/** A long of 1 BTC at 1000. */
function long(facts: Partial<BookOrder> = {}, rules: Partial<Rules> = {}): Book {
  const book = account(500, rules);
  expect(book.submit(order(facts), 1000, 0).order.state).toBe('filled');
  return book;
}

describe('a market order', () => {
  it('fills at the price plus slippage, for the taker fee', () => {
    const book = account(500, { slippage: 0.001 });
    const { order: result, fills } = book.submit(order(), 1000, 5);
    expect(result).toEqual({ clientId: 'a', state: 'filled', filled: 1, price: 1001, fees: 1.001 });
    expect(fills).toEqual([{ at: 5, clientId: 'a', reason: 'order', direction: 'buy', quantity: 1, price: 1001, fee: 1.001, realised: 0 }]);
    expect(book.balance()).toBe(498.999);
    expect(book.equity(1011)).toBe(508.999);
  });

  it('closes the opposite position first and opens the rest', () => {
    const book = long();
    const { fills, order: result } = book.submit(order({ clientId: 'b', direction: 'sell', quantity: 1.5 }), 1010, 1);
    expect(result).toMatchObject({ state: 'filled', filled: 1.5 });
    expect(fills.map(({ quantity, realised }) => [quantity, realised])).toEqual([
      [1, 10],
      [0.5, 0],
    ]);
    expect(book.position()).toMatchObject({ side: 'short', quantity: 0.5, entryPrice: 1010 });
  });

  it("that closes a part realizes its profit and keeps the rest's entry price", () => {
    const book = long({ stop: 980 });
    const { fills } = book.submit(order({ clientId: 'b', direction: 'sell', quantity: 0.4, reduceOnly: true }), 1010, 1);
    expect(fills).toMatchObject([{ quantity: 0.4, price: 1010, realised: 4, fee: 0.404 }]);
    expect(book.position()).toMatchObject({ quantity: 0.6, entryPrice: 1000, stop: 980, liquidationPrice: 905, openedAt: 0 });
    const { fills: more } = book.submit(order({ clientId: 'c', direction: 'sell', quantity: 5, reduceOnly: true }), 990, 2);
    expect(more).toMatchObject([{ quantity: 0.6, realised: -6 }]);
    expect(book.position()).toBeNull();
  });

  it('adds to a position at the mean price', () => {
    const book = long();
    book.submit(order({ clientId: 'b', quantity: 0.5 }), 1030, 1);
    expect(book.position()).toMatchObject({ quantity: 1.5, entryPrice: 1010, openedAt: 0 });
  });
});

describe('an order is refused', () => {
  it.each<[string, number, Partial<BookOrder>]>([
    ['for what is not there to pay it', 110007, { quantity: 5 }],
    ['for a quantity of nothing', 10001, { quantity: 0 }],
    ['for a quantity that is no number', 10001, { quantity: Number.NaN }],
    ['for a quantity between two steps', 10001, { quantity: 0.0015 }],
    ['for a price between two ticks', 10001, { type: 'limit', price: 990.05 }],
    ['for a limit order without a price', 10001, { type: 'limit' }],
    ['for a stop on the winning side', 10001, { stop: 1000 }],
    ['for a target on the losing side', 10001, { target: 999 }],
    ['for making smaller what is not held', 110017, { reduceOnly: true }],
    ['for a trigger that a buy is past', 110092, { type: 'stop-market', trigger: 999 }],
    ['for a trigger that a sell is past', 110093, { type: 'stop-market', direction: 'sell', trigger: 1001 }],
  ])('%s (%i)', (_, code, facts) => {
    const book = account(500);
    const before = book.state();
    const { order: result, fills } = book.submit(order(facts), 1000, 0);
    expect(result).toMatchObject({ state: 'rejected', reject: code, filled: 0 });
    expect(fills).toEqual([]);
    expect(book.state()).toEqual(before);
  });

  it('if an order with its id already rests (110072)', () => {
    const book = account(500);
    const resting = order({ type: 'limit', price: 900 });
    expect(book.submit(resting, 1000, 0).order.state).toBe('open');
    expect(book.submit(resting, 1000, 0).order).toMatchObject({ state: 'rejected', reject: 110072 });
    expect(book.openOrders()).toEqual([resting]);
  });

  it('if resting orders have reserved the margin', () => {
    const book = account(200);
    expect(book.submit(order({ type: 'limit', price: 900 }), 1000, 0).order.state).toBe('open');
    expect(book.submit(order({ clientId: 'b', type: 'limit', price: 1200, direction: 'sell' }), 1000, 0).order.reject).toBe(110007);
    expect(book.cancel('a')?.state).toBe('cancelled');
    expect(book.cancel('a')).toBeUndefined();
    expect(book.submit(order({ clientId: 'b', type: 'limit', price: 1200, direction: 'sell' }), 1000, 0).order.state).toBe('open');
  });
});

describe('inside a candle', () => {
  it('a stop comes before the target of the same candle', () => {
    const { fills } = long({ stop: 980, target: 1020 }).advance(candle(1000, 1030, 970, 1025));
    expect(fills).toMatchObject([{ reason: 'stop', price: 980, realised: -20, clientId: null, direction: 'sell' }]);
  });

  it('a target is met if the stop is not', () => {
    const { fills } = long({ stop: 980, target: 1020 }).advance(candle(1000, 1030, 981, 990));
    expect(fills).toMatchObject([{ reason: 'target', price: 1020, realised: 20, fee: 1.02 }]);
  });

  it('a level that the open has passed triggers at the open: worse for a stop, better for a target', () => {
    expect(long({ stop: 980 }).advance(candle(950, 990, 940, 985)).fills).toMatchObject([{ reason: 'stop', price: 950 }]);
    expect(long({ target: 1020 }).advance(candle(1050, 1060, 1040, 1045)).fills).toMatchObject([{ reason: 'target', price: 1050 }]);
  });

  it('a triggered stop slips, a target does not', () => {
    const slippage = 0.001;
    expect(long({ stop: 980 }, { slippage }).advance(candle(1000, 1000, 970, 990)).fills[0]?.price).toBe(979);
    expect(long({ target: 1020 }, { slippage }).advance(candle(1010, 1030, 1000, 1010)).fills[0]?.price).toBe(1020);
  });

  it('after an entry inside the candle, its stop can trigger in the same candle', () => {
    const book = account(500);
    book.submit(order({ type: 'limit', price: 990, stop: 980, target: 1010 }), 1000, 0);
    const { fills, orders } = book.advance(candle(1000, 1020, 975, 1015));
    expect(fills.map(({ reason, price }) => [reason, price])).toEqual([
      ['order', 990],
      ['stop', 980],
    ]);
    expect(orders).toEqual([{ clientId: 'a', state: 'filled', filled: 1, price: 990, fees: 0.495 }]);
    expect(book.position()).toBeNull();
  });

  it('a stop-market order fills at its trigger, for the taker fee', () => {
    const book = account(500, { slippage: 0.001 });
    book.submit(order({ type: 'stop-market', trigger: 1010 }), 1000, 0);
    expect(book.advance(candle(1000, 1009.9, 1000, 1005)).fills).toEqual([]);
    expect(book.advance(candle(1005, 1020, 1005, 1015)).fills).toMatchObject([{ price: 1011.1, fee: 1.0111 }]);
  });

  it('reduce-only orders end with the position', () => {
    const book = long({ stop: 980 });
    book.submit(order({ clientId: 'b', direction: 'sell', type: 'limit', price: 1050, reduceOnly: true }), 1000, 0);
    const { orders } = book.advance(candle(1000, 1000, 970, 990));
    expect(orders).toEqual([{ clientId: 'b', state: 'cancelled', filled: 0, price: null, fees: 0 }]);
    expect(book.openOrders()).toEqual([]);
  });
});

describe('margin', () => {
  it('is the most that a liquidation takes, however far the price falls', () => {
    const book = long();
    expect(book.position()?.liquidationPrice).toBe(905);
    expect(book.advance(candle(1000, 1000, 905.1, 950)).fills).toEqual([]);
    const { fills } = book.advance(candle(500, 600, 400, 550));
    expect(fills).toMatchObject([{ reason: 'liquidation', price: 500, realised: -100, fee: 0 }]);
    expect(book.balance()).toBe(399);
    expect(book.position()).toBeNull();
  });

  it('is lost whole at the liquidation price', () => {
    const { fills } = long().advance(candle(1000, 1000, 900, 950));
    expect(fills).toMatchObject([{ reason: 'liquidation', price: 905, realised: -95, fee: 5 }]);
  });

  it('is the most that equity counts as lost', () => {
    expect(long().equity(100)).toBe(399);
  });

  it('liquidates before a stop beyond it triggers', () => {
    expect(long({ stop: 800 }).advance(candle(1000, 1000, 700, 750)).fills[0]?.reason).toBe('liquidation');
  });

  it('pays funding only if no other money is left', () => {
    const book = createBook(newBook({ balance: 102, rules: HONEST }));
    book.submit(order(), 1000, 0);
    expect(book.balance()).toBe(101);
    const before = book.position()?.liquidationPrice ?? 0;
    expect(book.advance(candle(1000, 1001, 999, 1000), 0.003).fills).toMatchObject([{ reason: 'funding', realised: -3, fee: 0 }]);
    expect(book.balance()).toBe(98);
    expect(book.position()?.liquidationPrice).toBeCloseTo(before + 2, 1);
  });

  it('follows the leverage, which can change only without a position', () => {
    const book = account(500);
    book.setLeverage(2);
    expect(book.submit(order(), 1000, 0).order.reject).toBe(110007);
    book.setLeverage(10);
    book.submit(order(), 1000, 0);
    expect(() => book.setLeverage(5)).toThrow('Leverage cannot change');
  });
});

it('shorts are the mirror of longs', () => {
  const book = account(500);
  book.submit(order({ direction: 'sell', stop: 1020, target: 980 }), 1000, 0);
  expect(book.position()).toMatchObject({ side: 'short', liquidationPrice: 1095 });
  expect(book.advance(candle(1000, 1005, 995, 1000), 0.001).fills).toMatchObject([{ reason: 'funding', realised: 1 }]);
  expect(book.advance(candle(1000, 1025, 975, 1000)).fills).toMatchObject([{ reason: 'stop', price: 1020, realised: -20 }]);
});

it('stop and target of a position can change', () => {
  const book = long({ stop: 980 });
  book.protect(990, 1010);
  expect(book.position()).toMatchObject({ stop: 990, target: 1010 });
  expect(book.advance(candle(1000, 1005, 985, 1000)).fills).toMatchObject([{ reason: 'stop', price: 990 }]);
});
