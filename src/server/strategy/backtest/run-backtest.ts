import { pauseBelow, reachesLimit } from '#domain/bots/loss-limit.ts';
import type { Candle } from '#domain/market/candles.ts';
import { afterMark, afterTrade, lossOf, NO_GUARDS } from '../guards.ts';
import { createBook, newBook } from '../matching/book.ts';
import type { BookFill, Rules } from '../matching/types.ts';
import { type Parameters, parametersFor } from '../parameters.ts';
import type { Signal } from '../signal.ts';
import { oneTier } from '../sizing.ts';
import { createStrategy } from '../strategy.ts';
import { type Decision, decide, spoiledAt } from '../trader.ts';
import type { FundingBetween } from './funding.ts';
import { createTradeLog, type Trade } from './trades.ts';

export interface BacktestOptions {
  /** Length of the candles, ms. */
  interval: number;
  /** The bot's money at the start, USD. Profits are reinvested. */
  capital: number;
  rules: Rules;
  fundingBetween: FundingBetween;
  /** Start of trading, ms. Earlier candles only warm the strategy up. */
  from?: number;
  /** Loss from the highest equity at which the bot closes its position and stops, in percent. Without it, the bot never stops. */
  lossLimit?: number | undefined;
  parameters?: Parameters;
}

export interface EquityPoint {
  /** When the candle closed, ms. */
  at: number;
  /** Equity with the open position's profit, USD. */
  equity: number;
  /** Whether a position is open. */
  exposed: boolean;
}

export interface BacktestResult {
  /** Closed trades, oldest first. */
  trades: Trade[];
  /** The position at the end; undefined without one. */
  open?: Pick<Trade, 'side' | 'openedAt'> | undefined;
  /** One point per candle from `from` on. */
  equity: EquityPoint[];
  /** When the loss limit stopped the bot, ms; undefined if it did not. */
  stoppedAt?: number | undefined;
}

/** A bot on the paper exchange's book, which gets one candle after the other. */
export interface BacktestRun extends BacktestResult {
  /** Trades the candle on earlier signals, then decides on its own. */
  next(candle: Candle, signal: Signal): void;
}

type RunOptions = Omit<BacktestOptions, 'parameters'>;

/** Creates a run. It decides when a candle closes and trades at the next open, so that no decision sees the future. */
export function createRun({ interval, capital, rules, fundingBetween, from = 0, lossLimit }: RunOptions): BacktestRun {
  const book = createBook(newBook({ balance: capital, rules }));
  const terms = { quantity: rules.quantityStep, price: rules.priceStep, least: rules.quantityStep, tiers: oneTier(rules.maintenance) };
  const log = createTradeLog();
  const equity: EquityPoint[] = [];
  let guards = NO_GUARDS;
  let decision: Decision | { kind: 'close'; reason: 'stopped' } | undefined;
  const pauseAt = lossLimit === undefined ? undefined : pauseBelow(lossLimit);
  let stoppedAt: number | undefined;
  let last: Signal | undefined;
  let orders = 0;

  const carryOut = ({ open, time }: Candle): BookFill[] => {
    const position = book.position();
    const order = { clientId: `b${orders}`, type: 'market' } as const;
    if (last && decision?.kind === 'enter' && !position) {
      if (spoiledAt(open, last, decision, { leverage: rules.leverage, tiers: terms.tiers }) !== null) return [];
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

  /** During missing candles the price stands still, and an open position pays its funding. */
  const passGap = (from: number, to: number, price: number): BookFill[] =>
    from < to ? book.advance({ time: from, open: price, high: price, low: price, close: price }, fundingBetween(from, to)).fills : [];

  return {
    trades: log.trades(),
    equity,
    get open() {
      return log.open();
    },
    get stoppedAt() {
      return stoppedAt;
    },

    next(candle, signal) {
      const end = candle.time + interval;
      const closeReason = decision?.kind === 'close' ? decision.reason : undefined;
      const fills = last ? passGap(last.candle.time + interval, candle.time, last.candle.close) : [];
      fills.push(...carryOut(candle), ...book.advance(candle, fundingBetween(candle.time, end)).fills);
      last = signal;
      if (candle.time < from) return;
      for (const { pnl, closedAt } of log.add(fills, closeReason))
        guards = afterTrade(guards, { pnl, at: closedAt, equity: book.balance() }, pauseAt);
      const now = { equity: book.equity(candle.close), at: end };
      guards = afterMark(guards, now, pauseAt);
      const position = book.position();
      equity.push({ at: end, equity: now.equity, exposed: position !== null });
      if (lossLimit !== undefined && reachesLimit(lossOf(guards, now.equity), lossLimit)) stoppedAt ??= end;
      if (stoppedAt !== undefined) {
        decision = position ? { kind: 'close', reason: 'stopped' } : undefined;
        return;
      }
      const means = { equity: now.equity, balance: book.balance(), leverage: rules.leverage };
      decision = decide(signal, { position, ...means, guards, terms, takerFee: rules.takerFee, at: end });
    },
  };
}

/** Trades the strategy over candles, oldest first, on the paper exchange's book. `onCandle` receives the number of candles done. */
export function runBacktest(
  candles: readonly Candle[],
  { parameters, ...options }: BacktestOptions,
  onCandle: (done: number) => void = () => undefined,
): BacktestResult {
  const strategy = createStrategy(parameters ?? parametersFor(options.interval));
  const run = createRun(options);
  candles.forEach((candle, index) => {
    run.next(candle, strategy.next(candle));
    onCandle(index + 1);
  });
  return run;
}
