import { type Interval, intervalName } from '#domain/bots/intervals.ts';
import type { Clock } from '#domain/clock.ts';
import { type BacktestRequest, NothingToTrade } from '#server/backtests/run-request.ts';
import type { BotRow } from '#server/bots/store/bots.ts';
import { findLastEvent } from '#server/bots/store/events.ts';
import { type FeedClock, readFeedClock } from '#server/bots/store/feed-clock.ts';
import { findClosedTrades, type TradeRow } from '#server/bots/store/trades.ts';
import type { Db } from '#server/db/open.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import { RESIZED } from '../update.ts';

/** Candles that one comparison trades at most: a year of hourly ones. */
const MAX_CANDLES = 9000;

interface Parts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
}

/** What a comparison covers: the days since the bot's size, leverage and prices are the same. */
export interface Plan {
  request: BacktestRequest;
  /** Length of a candle, ms. */
  interval: number;
  feedClock: FeedClock;
  /** The closed trades to compare, newest first. */
  trades: TradeRow[];
}

/** Plans the backtest of the days that a bot has traded. Throws `NothingToTrade` before its first candle has closed, or without money. */
export async function planComparison({ db, clock, exchange: { feed } }: Parts, bot: BotRow): Promise<Plan> {
  const { interval } = feed;
  const [feedClock, resized, closed] = await Promise.all([
    readFeedClock(db, feed, clock),
    findLastEvent(db, bot.id, RESIZED),
    findClosedTrades(db, bot.id),
  ]);
  const since = Math.max(bot.createdAt.getTime(), resized?.createdAt.getTime() ?? 0, feedClock.since);
  const begin = (time: number): number => Math.floor(time / interval) * interval;
  const to = begin(feed.now());
  const from = Math.max(begin(feedClock.toFeed(since)), to - MAX_CANDLES * interval);
  if (from >= to) throw new NothingToTrade('There is nothing to compare before the next candle has closed. Try again then.');
  const isCompared = ({ openedAt, feedOpened }: TradeRow) => openedAt.getTime() >= since && feedOpened !== null && feedOpened >= from;
  const earlier = closed.filter((trade) => !isCompared(trade));
  const capital = earlier.reduce((sum, { pnl }) => sum + pnl, bot.positionSize);
  if (capital <= 0) throw new NothingToTrade('The bot had no money left to trade with, so there is nothing to compare.');
  const candles = [...(await feed.closed((to - from) / interval + parametersFor(interval).window))];
  return {
    feedClock,
    trades: closed.filter(isCompared),
    interval,
    request: {
      interval: intervalName(interval) as Interval,
      data: { market: feed.source, candles },
      ...{ from, to },
      capital,
      leverage: bot.leverage,
      lossLimit: bot.maxDrawdown,
    },
  };
}
