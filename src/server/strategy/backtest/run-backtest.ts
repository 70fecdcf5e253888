import type { Candle } from '#domain/market/candles.ts';
import { afterMark, afterTrade, NO_GUARDS } from '../guards.ts';
import { createBook, newBook } from '../matching/book.ts';
import type { BookFill, Rules } from '../matching/types.ts';
import { type Parameters, parametersFor } from '../parameters.ts';
import type { Signal } from '../signal.ts';
import { createStrategy } from '../strategy.ts';
import { type Decision, decide, spoiledAt } from '../trader.ts';
import type { FundingBetween } from './funding.ts';
import { createTradeLog, type Trade } from './trades.ts';

export interface BacktestOptions {
  /** Length of the candles, ms. */
  interval: number;
  /** USD that the bot starts with; what it wins and loses is put in again, as a bot does. */
  capital: number;
  rules: Rules;
  fundingBetween: FundingBetween;
  /** Trades from here on, ms; candles before it are looked at only. */
  from?: number;
  parameters?: Parameters;
}

export interface EquityPoint {
  /** When the candle closed, ms. */
  at: number;
  /** USD, what is unrealised counted. */
  equity: number;
  /** Whether a position was open then. */
  exposed: boolean;
}

export interface BacktestResult {
  /** Those that are over, oldest first. */
  trades: Trade[];
  /** One point per candle from `from` on. */
  equity: EquityPoint[];
}

/**
 * The strategy over candles, oldest first, as a bot trades it: decided when a candle has closed, done at the next one's open,
 * on the book of the paper exchange. What a decision sees lies before it.
 */
export function runBacktest(candles: readonly Candle[], options: BacktestOptions): BacktestResult {
  const { interval, capital, rules, fundingBetween, from = 0 } = options;
  const strategy = createStrategy(options.parameters ?? parametersFor(interval));
  const book = createBook(newBook({ balance: capital, rules }));
  const steps = { quantity: rules.quantityStep, price: rules.priceStep, least: rules.quantityStep };
  const log = createTradeLog();
  const equity: EquityPoint[] = [];
  let guards = NO_GUARDS;
  let decision: Decision | undefined;
  let signal: Signal | undefined;
  let orders = 0;

  const carryOut = ({ open, time }: Candle): BookFill[] => {
    const position = book.position();
    const order = { clientId: `b${orders}`, type: 'market' } as const;
    if (signal && decision?.kind === 'enter' && !position) {
      if (spoiledAt(open, signal, decision, rules.leverage) !== null) return [];
      orders++;
      const { side, quantity, stop, target } = decision;
      return book.submit({ ...order, direction: side === 'long' ? 'buy' : 'sell', quantity, stop, target }, open, time).fills;
    }
    if (decision?.kind === 'close' && position) {
      orders++;
      const direction = position.side === 'long' ? 'sell' : 'buy';
      return book.submit({ ...order, direction, quantity: position.quantity, reduceOnly: true }, open, time).fills;
    }
    return [];
  };

  /** Where candles are missing, price stood still, and what is held costs what it always does. */
  const passGap = (from: number, to: number, price: number): BookFill[] =>
    from < to ? book.advance({ time: from, open: price, high: price, low: price, close: price }, fundingBetween(from, to)).fills : [];

  for (const candle of candles) {
    const end = candle.time + interval;
    const closeReason = decision?.kind === 'close' ? decision.reason : undefined;
    const fills = signal ? passGap(signal.candle.time + interval, candle.time, signal.candle.close) : [];
    fills.push(...carryOut(candle), ...book.advance(candle, fundingBetween(candle.time, end)).fills);
    signal = strategy.next(candle);
    if (candle.time < from) continue;
    for (const { pnl, closedAt } of log.add(fills, closeReason)) guards = afterTrade(guards, { pnl, at: closedAt, equity: book.balance() });
    const now = { equity: book.equity(candle.close), at: end };
    guards = afterMark(guards, now);
    const position = book.position();
    equity.push({ at: end, equity: now.equity, exposed: position !== null });
    const means = { equity: now.equity, balance: book.balance(), leverage: rules.leverage };
    decision = decide(signal, { position, ...means, guards, steps, at: end });
  }
  return { trades: log.trades(), equity };
}
