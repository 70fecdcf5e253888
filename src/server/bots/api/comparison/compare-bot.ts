import type { BacktestResult } from '#contract/bots/backtest.ts';
import type { BotTrade } from '#contract/bots/bot.ts';
import { type BotComparison, type ComparedTradeAnswer, MAX_COMPARED } from '#contract/bots/bot-comparison.ts';
import { roundToCents } from '#domain/bots/bot-amounts.ts';
import { type ComparableTrade, type ComparedTrade, compareTrades, differenceBand } from '#domain/bots/compare-trades.ts';
import type { BotRow } from '#server/bots/store/bots.ts';
import { findEvents } from '#server/bots/store/events.ts';
import { findEntryCandles } from '#server/bots/store/orders.ts';
import { positionOf } from '#server/bots/store/position.ts';
import type { Db } from '#server/db/open.ts';
import { toTrade } from '../report.ts';
import { createLoneReasons } from './lone-reasons.ts';
import type { Plan } from './plan-comparison.ts';

/** Entries of the journal that explain missing trades: the latest. */
const MAX_EVENTS = 10_000;

const iso = (time: number): string => new Date(time).toISOString();

/** Compares a bot's closed trades with those of its finished backtest. */
export async function compareBot(db: Db, bot: BotRow, plan: Plan, result: BacktestResult): Promise<BotComparison> {
  const { request, interval } = plan;
  const { capital, leverage } = request;
  const from = fromOf(plan, result);
  const [candles, events] = await Promise.all([findEntryCandles(db, bot.id, request.from), findEvents(db, bot.id, MAX_EVENTS)]);
  const candleAt = (time: number): number => (Math.floor(time / interval) - 1) * interval;
  const botCandle = ({ entryId, openedAt }: { entryId: string; openedAt: number }) => candles.get(entryId) ?? candleAt(openedAt);
  const botTrades = plan.trades.map((row) => {
    const times = { openedAt: row.feedOpened ?? 0, closedAt: row.feedClosed ?? row.feedOpened ?? 0 };
    return toComparable(toTrade(row), { ...times, candle: botCandle({ entryId: row.entryId, ...times }) });
  });
  const backtestTrades = result.trades.map((trade) => {
    const openedAt = Date.parse(trade.opened_at);
    return toComparable(trade, { openedAt, closedAt: Date.parse(trade.closed_at), candle: candleAt(openedAt) });
  });
  const position = positionOf(bot);
  const open = result.open && { side: result.open.side, openedAt: Date.parse(result.open.opened_at), closedAt: null };
  const explain = createLoneReasons({
    botPositions: [...botTrades, ...(position ? [{ ...position, candle: botCandle(position), closedAt: null }] : [])],
    backtestPositions: [...backtestTrades, ...(open ? [{ ...open, candle: candleAt(open.openedAt) }] : [])],
    stoppedAt: result.stopped_at,
    ...{ events, interval, feedClock: plan.feedClock },
  });
  const isCovered = ({ openedAt }: ComparableTrade) => openedAt >= from;
  const compared = compareTrades({ bot: botTrades.filter(isCovered), backtest: backtestTrades.filter(isCovered), explain });
  return {
    market: result.market,
    interval: request.interval,
    ...{ from: iso(from), to: iso(request.to), capital: roundToCents(capital), leverage, max_drawdown: bot.maxDrawdown },
    bot_profit: compared.botProfit,
    bot_trades: compared.trades.filter((trade) => trade.bot).length,
    backtest_profit: compared.backtestProfit,
    backtest_trades: compared.trades.filter((trade) => trade.backtest).length,
    difference: compared.difference,
    band: differenceBand(capital),
    causes: compared.causes,
    trades: compared.trades
      .slice(-MAX_COMPARED)
      .reverse()
      .map((trade) => toAnswer(trade, interval)),
    trade_count: compared.trades.length,
  };
}

/** Returns from when on both have all trades: a result has only the latest trades of the backtest. */
function fromOf({ request }: Plan, { trades, trade_count }: BacktestResult): number {
  const first = trades.at(-1);
  return first && trades.length < trade_count ? Date.parse(first.opened_at) : request.from;
}

const toComparable = (
  { side, quantity, entry_price, exit_price, pnl, fees, funding, reason }: BotTrade,
  times: Pick<ComparableTrade, 'candle' | 'openedAt' | 'closedAt'>,
): ComparableTrade => ({ side, quantity, entryPrice: entry_price, exitPrice: exit_price, pnl, fees, funding, reason, ...times });

function toAnswer({ bot, backtest, ...compared }: ComparedTrade, interval: number): ComparedTradeAnswer {
  const { candle = 0, side = 'long' } = bot ?? backtest ?? {};
  return { ...compared, signal_at: iso(candle + interval), side, bot: bot && toSide(bot), backtest: backtest && toSide(backtest) };
}

const toSide = ({ openedAt, closedAt, quantity, entryPrice, exitPrice, pnl, reason }: ComparableTrade) => ({
  ...{ opened_at: iso(openedAt), closed_at: iso(closedAt), quantity, pnl, reason },
  ...{ entry_price: entryPrice, exit_price: exitPrice },
});
