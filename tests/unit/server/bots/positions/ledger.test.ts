import { describe, expect, test } from 'vitest';
import { pnlOf, readTrades } from '#server/bots/positions/ledger.ts';
import type { ExchangeFill } from '#server/ports/exchange/exchange.ts';

const ORDERS: Record<string, { purpose: 'entry' | 'close'; reason: string | null }> = {
  entry: { purpose: 'entry', reason: null },
  close: { purpose: 'close', reason: 'stopped' },
};

const fill = (at: number, direction: 'buy' | 'sell', quantity: number, some: Partial<ExchangeFill> = {}): ExchangeFill => ({
  id: String(at),
  at,
  clientId: null,
  reason: 'order',
  direction,
  quantity,
  price: 50_000,
  fee: 1,
  realised: 0,
  ...some,
});
const entry = fill(1, 'buy', 0.1, { clientId: 'entry' });
const read = (...fills: ExchangeFill[]) => readTrades(fills, (id) => ORDERS[id]);

describe('a trade', () => {
  test("has the exchange's realized profit, net of costs", () => {
    const [trade] = read(entry, fill(2, 'sell', 0.1, { clientId: 'close', price: 50_100, realised: 10 }));
    expect(trade).toMatchObject({ quantity: 0.1, left: 0, realised: 10, fees: 2, closedAt: 2, reason: 'stopped', exitPrice: 50_100 });
    expect(trade && pnlOf(trade)).toBe(8);
  });

  test('is open while any quantity is held', () => {
    const [trade] = read(entry, fill(2, 'sell', 0.04, { realised: -2 }));
    expect(trade).toMatchObject({ quantity: 0.1, left: 0.06, closedAt: null, reason: null });
  });

  test('that the bot did not open is ignored', () => {
    expect(read(fill(1, 'buy', 0.1), fill(2, 'sell', 0.1))).toEqual([]);
  });
});

describe('what the account owner adds to a position', () => {
  const added = fill(2, 'buy', 0.3, { price: 60_000, fee: 3 });

  test('does not count in the trade, nor do its costs and profits', () => {
    const [trade] = read(entry, added, fill(3, 'sell', 0.1, { clientId: 'close', price: 50_100, realised: -740 }));
    expect(trade).toMatchObject({ quantity: 0.1, entryPrice: 50_000, left: 0, fees: 2, reason: 'stopped' });
    expect(trade?.realised).toBeCloseTo(10, 6);
    expect(trade?.payments.map(({ at }) => at)).toEqual([1, 3]);
  });

  test('is reduced first by a close by hand', () => {
    const [trade] = read(entry, added, fill(3, 'sell', 0.3), fill(4, 'sell', 0.1, { price: 49_000, fee: 2 }));
    expect(trade).toMatchObject({ quantity: 0.1, closedAt: 4, reason: 'by hand', fees: 3 });
    expect(trade?.realised).toBeCloseTo(-100, 6);
  });

  test('closes with the trade if the stop closes everything', () => {
    const [trade] = read(entry, added, fill(3, 'sell', 0.4, { price: 49_000, reason: 'stop', fee: 4, realised: -3400 }));
    expect(trade).toMatchObject({ left: 0, closedAt: 3, reason: 'stop', fees: 2 });
    expect(trade?.realised).toBeCloseTo(-100, 6);
  });

  test('pays its own share of the funding', () => {
    const [trade] = read(entry, added, fill(3, 'buy', 0.4, { reason: 'funding', fee: 0, realised: -4 }));
    expect(trade?.funding).toBeCloseTo(-1, 9);
  });
});

test("a reversed position ends the trade, and the new position is not the bot's", () => {
  const trades = read(entry, fill(2, 'sell', 0.25, { price: 49_900, fee: 2.5, realised: -10 }), fill(3, 'buy', 0.15));
  expect(trades).toHaveLength(1);
  expect(trades[0]).toMatchObject({ quantity: 0.1, left: 0, closedAt: 2, reason: 'by hand', exitPrice: 49_900, fees: 2 });
  expect(trades[0]?.realised).toBeCloseTo(-10, 6);
});
