import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { createRandom } from '#domain/random.ts';
import { createBook, newBook } from '#server/strategy/matching/book.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import type { Book, BookFill, BookOrder, BookStep, Rules, Stretch } from '#server/strategy/matching/types.ts';

const ORDERS = 100_000;
const STAKE = 10_000;
const HOUR = 3_600_000;

// Millions of assertions: Node's are about ten times as fast as vitest's.

/** A ledger in hundredths of a cent, as big integers, computed from the fills alone. */
const exact = (usd: number): bigint => BigInt(Math.round(usd * 10_000));
const value = ({ price, quantity }: BookFill): bigint => BigInt(Math.round(price * 10)) * BigInt(Math.round(quantity * 1000));

class Ledger {
  balance = exact(STAKE);
  held = 0n;
  /** Sales minus purchases since the position was last zero. */
  cash = 0n;
  realised = 0n;
  liquidated = false;

  read(fill: BookFill): void {
    this.balance += exact(fill.realised) - exact(fill.fee);
    if (fill.reason === 'funding') return;
    const sign = fill.direction === 'buy' ? 1n : -1n;
    this.held += sign * BigInt(Math.round(fill.quantity * 1000));
    this.cash -= sign * value(fill);
    this.realised += exact(fill.realised);
    this.liquidated ||= fill.reason === 'liquidation';
    if (this.held !== 0n) return;
    // The profit of a round is sales minus purchases. A liquidation loses no more than the margin.
    assert.ok(this.liquidated ? this.realised >= this.cash : this.realised === this.cash, 'a round of trades adds up');
    this.cash = 0n;
    this.realised = 0n;
    this.liquidated = false;
  }
}

interface World {
  seed: number;
  rules: Rules;
}

const random = (seed: number) => {
  const next = createRandom(seed);
  const between = (low: number, high: number) => low + (high - low) * next();
  const tick = (price: number) => Math.max(1, Math.round(price * 10)) / 10;
  return { next, between, tick, chance: (share: number) => next() < share };
};

/** A candle that opens with a gap now and then, on whole ticks. */
function nextCandle({ between, tick, chance }: ReturnType<typeof random>, last: number, time: number): Stretch {
  const open = tick(chance(0.05) ? last * between(0.9, 1.1) : last);
  const close = tick(Math.min(Math.max(open * between(0.985, 1.015), 2000), 200_000));
  const high = tick(Math.max(open, close) * between(1, 1.01));
  const low = tick(Math.min(open, close) * between(0.99, 1));
  return { time, open, high, low, close };
}

function nextOrder({ next, between, tick, chance }: ReturnType<typeof random>, price: number, id: number): BookOrder {
  const direction = chance(0.5) ? 'buy' : 'sell';
  const type = chance(0.5) ? 'market' : chance(0.5) ? 'limit' : 'stop-market';
  const away = between(0, 0.03) * ((direction === 'buy') === (type === 'limit') ? -1 : 1);
  const level = type === 'market' ? price : tick(price * (1 + away));
  const sign = direction === 'buy' ? 1 : -1;
  return {
    clientId: `order-${id}`,
    direction,
    type,
    quantity: Math.ceil(next() ** 4 * 5000) / 1000,
    ...(type === 'limit' && { price: level }),
    ...(type === 'stop-market' && { trigger: level }),
    ...(chance(0.25) && { reduceOnly: true }),
    ...(chance(0.6) && { stop: tick(level * (1 - sign * between(0.001, 0.05))) }),
    ...(chance(0.6) && { target: tick(level * (1 + sign * between(0.001, 0.05))) }),
  };
}

/** Trades at random and checks every rule after every step. */
function trade({ seed, rules }: World, orders: number): { kinds: Record<string, number> } {
  const dice = random(seed);
  const kinds: Record<string, number> = {};
  let ledger = new Ledger();
  let book: Book = createBook(newBook({ balance: STAKE, rules }));
  let price = 60_000;
  let time = 0;

  /** A book restored from JSON behaves like the original, bit for bit. */
  function step<T extends BookStep>(act: (on: Book) => T): T {
    const twin = dice.chance(0.1) ? createBook(JSON.parse(JSON.stringify(book.state()))) : undefined;
    const result = act(book);
    if (twin) {
      assert.deepEqual(act(twin), result);
      assert.equal(JSON.stringify(twin.state()), JSON.stringify(book.state()));
    }
    for (const fill of result.fills) {
      kinds[fill.reason] = (kinds[fill.reason] ?? 0) + 1;
      ledger.read(fill);
    }
    const state = book.state();
    assert.equal(BigInt(state.balance), ledger.balance, 'the balance is what the fills say');
    assert.ok(state.balance >= (state.position?.margin ?? 0), 'the margin is there');
    assert.ok(book.equity(price) >= 0, 'equity is never negative');
    const held = (state.position?.steps ?? 0) * (state.position?.side === 'short' ? -1 : 1);
    assert.equal(BigInt(held), ledger.held, 'the position is what the fills say');
    return result;
  }

  for (let id = 0; id < orders; id++) {
    const order = nextOrder(dice, price, id);
    const { order: result } = step((on) => on.submit(order, price, time));
    kinds[result.state] = (kinds[result.state] ?? 0) + 1;
    if (dice.chance(0.05)) for (const { clientId } of book.openOrders().slice(0, 3)) book.cancel(clientId);
    if (dice.chance(0.3)) {
      time += HOUR;
      const candle = nextCandle(dice, price, time);
      const rate = time % (8 * HOUR) === 0 ? dice.between(-0.001, 0.001) : 0;
      const alone = book.openOrders().length === 0;
      const before = book.position();
      const { fills } = step((on) => on.advance(candle, rate));
      price = candle.close;
      const slip = 1 + rules.slippage;
      for (const fill of fills) {
        // Prices round to the worse tick, so allow one tick more.
        assert.ok(fill.price <= candle.high * slip + 0.1 && fill.price >= candle.low / slip - 0.1, 'filled where price was');
      }
      const stopped = before?.stop != null && (before.side === 'long' ? candle.low <= before.stop : candle.high >= before.stop);
      const passed = before?.target != null && (before.side === 'long' ? candle.open >= before.target : candle.open <= before.target);
      if (alone && stopped && !passed) assert.notEqual(fills.find(({ reason }) => reason !== 'funding')?.reason, 'target');
    }
    if (book.equity(price) < STAKE / 20) {
      book = createBook(newBook({ balance: STAKE, rules }));
      ledger = new Ledger();
    }
  }
  return { kinds };
}

describe('over random orders', () => {
  it(`money is conserved to a hundredth of a cent, and every exit occurs (${ORDERS.toLocaleString('en')} orders)`, () => {
    const counted: Record<string, number> = {};
    const worlds = [1, 5, 15, 50].map((leverage, index) => ({ seed: 7 + index, rules: { ...PERPETUAL, leverage } }));
    for (const world of worlds) {
      const { kinds } = trade(world, ORDERS / worlds.length);
      for (const [kind, count] of Object.entries(kinds)) counted[kind] = (counted[kind] ?? 0) + count;
    }
    // An exit that never occurs would not be tested.
    for (const kind of ['order', 'stop', 'target', 'liquidation', 'funding', 'open', 'filled', 'rejected'])
      expect(counted[kind], kind).toBeGreaterThan(100);
  });
});
