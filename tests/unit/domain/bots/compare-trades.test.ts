import { describe, expect, test } from 'vitest';
import { roundToCents, sumOfCents } from '#domain/bots/bot-amounts.ts';
import { type ComparableTrade, compareTrades, differenceBand, isBeyondBand } from '#domain/bots/compare-trades.ts';
import { HOUR, SECOND } from '#domain/clock.ts';

/** A long trade of 0.01 BTC from 60,000 to 61,000 USD with 1 USD of fees. */
function trade(changes: Partial<ComparableTrade> = {}): ComparableTrade {
  const facts = {
    candle: 0,
    side: 'long' as const,
    quantity: 0.01,
    entryPrice: 60_000,
    exitPrice: 61_000,
    openedAt: HOUR,
    closedAt: 5 * HOUR,
    fees: 1,
    funding: 0,
    reason: 'target',
    ...changes,
  };
  const direction = facts.side === 'long' ? 1 : -1;
  const gross = direction * facts.quantity * (facts.exitPrice - facts.entryPrice);
  return { ...facts, pnl: roundToCents(gross - facts.fees + facts.funding), ...(changes.pnl !== undefined && { pnl: changes.pnl }) };
}

const explain = (_: ComparableTrade, lacking: 'bot' | 'backtest') =>
  lacking === 'bot' ? ({ cause: 'paused', text: 'Paused.' } as const) : ({ cause: 'extra', text: 'By hand.' } as const);

const compare = (bot: ComparableTrade[], backtest: ComparableTrade[]) => compareTrades({ bot, backtest, explain });

describe('the difference of a trade of both', () => {
  test.each([
    ['is nothing for equal trades', {}, []],
    ['is in the entry price', { entryPrice: 60_010 }, [{ cause: 'entry', amount: -0.1 }]],
    [
      'is delay when the bot entered later than a minute',
      { entryPrice: 60_010, openedAt: HOUR + 61 * SECOND },
      [{ cause: 'delay', amount: -0.1 }],
    ],
    ['is still in the price within a minute', { entryPrice: 60_010, openedAt: HOUR + 60 * SECOND }, [{ cause: 'entry', amount: -0.1 }]],
    ['is delay a millisecond later', { entryPrice: 60_010, openedAt: HOUR + 60 * SECOND + 1 }, [{ cause: 'delay', amount: -0.1 }]],
    ['is in the exit price', { exitPrice: 60_500 }, [{ cause: 'exit', amount: -5 }]],
    ['is in fees and funding', { fees: 1.5, funding: 0.2 }, [{ cause: 'fees', amount: -0.3 }]],
    ['is size alone when all else is in proportion', { quantity: 0.02, fees: 2 }, [{ cause: 'size', amount: 9 }]],
  ] as const)('%s', (_, changes, parts) => {
    const { trades, causes } = compare([trade(changes)], [trade()]);
    expect(trades[0]?.parts).toEqual(parts);
    expect(causes).toEqual(parts.map((part) => ({ ...part, trades: 1 })));
  });

  test('has the sign of the side', () => {
    const short = { side: 'short', entryPrice: 61_000, exitPrice: 60_000 } as const;
    const { trades } = compare([trade({ ...short, entryPrice: 61_020, exitPrice: 60_030 })], [trade(short)]);
    expect(trades[0]?.parts).toEqual([
      { cause: 'entry', amount: 0.2 },
      { cause: 'exit', amount: -0.3 },
    ]);
  });
});

test('a trade of one alone counts in full, with its reason', () => {
  const { trades, causes, difference } = compare([trade({ candle: 2 * HOUR })], [trade()]);
  expect(trades.map(({ bot, backtest, text, parts }) => [bot?.candle, backtest?.candle, text, parts])).toEqual([
    [undefined, 0, 'Paused.', [{ cause: 'paused', amount: -9 }]],
    [2 * HOUR, undefined, 'By hand.', [{ cause: 'extra', amount: 9 }]],
  ]);
  expect([causes.length, difference]).toEqual([2, 0]);
});

test('trades of the same candle on different sides are no pair', () => {
  const { trades } = compare([trade()], [trade({ side: 'short' })]);
  expect(trades.map(({ bot, backtest }) => bot !== null && backtest !== null)).toEqual([false, false]);
});

/** Returns random numbers from 0 to 1 that depend on the seed alone. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

test('causes and trades add up to the difference of both profits to the cent, whatever the trades are', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = randomOf(seed);
    const some = (): ComparableTrade[] =>
      Array.from({ length: 40 }, (_, index) => index)
        .filter(() => random() > 0.3)
        .map((index) => {
          const entryPrice = 20_000 + random() * 80_000;
          return trade({
            candle: index * HOUR,
            side: random() > 0.5 ? 'long' : 'short',
            quantity: Math.ceil(random() * 900) / 1000,
            entryPrice,
            exitPrice: entryPrice * (0.95 + random() / 10),
            openedAt: (index + 1) * HOUR + (random() > 0.5 ? 0 : random() * 10 * HOUR),
            fees: random() * 30,
            funding: random() * 4 - 2,
            // Closed in parts by the exchange: prices alone do not explain the profit.
            ...(random() > 0.9 && { pnl: roundToCents(random() * 500 - 250) }),
          });
        });
    const [bot, backtest] = [some(), some()];
    const result = compare(bot, backtest);
    const difference = sumOfCents([...bot.map(({ pnl }) => pnl), ...backtest.map(({ pnl }) => -pnl)]);
    expect(result.difference).toBe(difference);
    expect(sumOfCents([result.botProfit, -result.backtestProfit])).toBe(difference);
    expect(sumOfCents(result.causes.map(({ amount }) => amount))).toBe(difference);
    expect(sumOfCents(result.trades.map((each) => each.difference))).toBe(difference);
    for (const each of result.trades) expect(sumOfCents(each.parts.map(({ amount }) => amount))).toBe(each.difference);
  }
});

test('a difference needs a warning when it is larger than what one trade may lose at its stop', () => {
  const band = differenceBand(1000);
  expect(band).toBe(15);
  expect([15, -15, 15.01, -15.01].map((difference) => isBeyondBand({ difference, band }))).toEqual([false, false, true, true]);
});
