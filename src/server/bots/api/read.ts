import type { Bot, BotReport } from '#contract/bots/bot.ts';
import { figuresOf } from '#domain/bots/backtest-figures.ts';
import { notFound } from '#server/http/errors.ts';
import { moneyOfBot, otherExchangeReason } from '../messages/money.ts';
import { type BotRow, findBot, findBots } from '../store/bots.ts';
import { findEvents } from '../store/events.ts';
import { findLatestSignals } from '../store/latest-signals.ts';
import { findEntryCandles } from '../store/orders.ts';
import { positionOf } from '../store/position.ts';
import { findClosedTrades, findEquity } from '../store/trades.ts';
import { explainCandles, MAX_CANDLES } from './candle-decisions.ts';
import { performanceOf, toCurve, toEvent, toTrade } from './report.ts';
import { type ServiceParts, showBot, showBots } from './service-parts.ts';

/** Trades in one report. */
const MAX_TRADES = 200;

/** Returns what the strategy did on candles that it was not fitted on; null for a length that was not measured. */
function backtestOf(interval: string): BotReport['backtest'] {
  const figures = figuresOf(interval);
  return figures ? { ...figures.unseen, name: `${figures.market}, ${interval} candles` } : null;
}

/** Returns a bot's open position as a trade that has not closed. */
function openTrade(row: BotRow) {
  const position = positionOf(row);
  if (!position) return [];
  const { entryId, side, openedClock } = position;
  return [{ entryId, side, openedAt: new Date(openedClock), closedAt: null }];
}

export function createBotReads(parts: ServiceParts) {
  const { db, clock, exchange } = parts;

  async function demandRow(userId: string, id: string): Promise<BotRow> {
    const row = await findBot(db, userId, id);
    if (!row) throw notFound();
    return row;
  }

  return {
    /** Returns whether a bot, or a new one without an id, trades real money. False for a bot that is gone. */
    async isLive(userId: string, id?: string): Promise<boolean> {
      if (id === undefined) return !exchange.paper;
      const row = await findBot(db, userId, id);
      return row !== undefined && moneyOfBot(row) === 'live';
    },

    async list(userId: string): Promise<Bot[]> {
      const rows = await findBots(db, userId);
      return rows.length === 0 ? [] : showBots(parts, db, userId, rows);
    },

    read: async (userId: string, id: string): Promise<Bot> => showBot(parts, db, await demandRow(userId, id)),

    async report(userId: string, id: string): Promise<BotReport> {
      const row = await demandRow(userId, id);
      const [bot, points, trades, events, signals] = await Promise.all([
        showBot(parts, db, row),
        findEquity(db, id),
        findClosedTrades(db, id),
        findEvents(db, id),
        otherExchangeReason(row, exchange) === null ? findLatestSignals(db, exchange.feed, MAX_CANDLES) : [],
      ]);
      const entryCandles = await findEntryCandles(db, id, signals.at(-1)?.candle ?? 0);
      const start = { at: row.createdAt, equity: row.positionSize };
      const now = clock();
      const curve = [start, ...points, { at: new Date(now), equity: bot.equity }];
      return {
        bot,
        equity: toCurve(curve),
        trades: trades.slice(0, MAX_TRADES).map(toTrade),
        events: events.map(toEvent),
        decisions: explainCandles({
          ...{ signals, entryCandles, events, now, since: row.createdAt },
          trades: [...trades, ...openTrade(row)],
          interval: exchange.feed.interval,
          speed: exchange.feed.speed ?? 1,
        }),
        live: performanceOf(trades, curve, start, now),
        backtest: backtestOf(bot.config.interval),
      };
    },
  };
}
