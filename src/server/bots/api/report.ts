import type { BotEvent, BotReport, BotTrade, Performance } from '#contract/bots/bot.ts';
import { roundToCents } from '#domain/bots/bot-amounts.ts';
import { annualReturn, drawdowns, tradeFigures } from '#server/strategy/backtest/figures.ts';
import { thin } from '#server/strategy/backtest/thin.ts';
import type { EventRow } from '../store/events.ts';
import type { TradeRow } from '../store/trades.ts';

/** Points of a curve in a report. */
const MAX_POINTS = 500;

interface Point {
  at: Date;
  equity: number;
}

/** Returns a bot's performance since `start`. `trades` are the closed ones; `points` come oldest first. */
export function performanceOf(
  trades: readonly TradeRow[],
  points: readonly Point[],
  start: { at: Date; equity: number },
  now: number,
): Performance {
  const last = points.at(-1)?.equity ?? start.equity;
  const growth = last / start.equity;
  const { winRate, profitFactor } = tradeFigures(trades);
  const curve = points.map(({ at, equity }) => ({ at: at.getTime(), equity }));
  return {
    from: start.at.toISOString(),
    to: new Date(now).toISOString(),
    trades: trades.length,
    total_return: growth - 1,
    annual_return: annualReturn(growth, now - start.at.getTime()),
    max_drawdown: drawdowns(curve, start.equity, start.at.getTime()).maxDrawdown,
    win_rate: winRate,
    profit_factor: profitFactor,
  };
}

export const toCurve = (points: readonly Point[]): BotReport['equity'] =>
  thin(points, MAX_POINTS).map(({ at, equity }) => ({ at: at.toISOString(), equity }));

export const toTrade = ({
  id,
  side,
  quantity,
  entryPrice,
  exitPrice,
  pnl,
  fees,
  funding,
  reason,
  openedAt,
  closedAt,
}: TradeRow): BotTrade => ({
  id,
  side,
  quantity,
  entry_price: entryPrice,
  exit_price: exitPrice ?? entryPrice,
  pnl: roundToCents(pnl),
  fees: roundToCents(fees),
  funding: roundToCents(funding),
  reason: reason ?? '',
  opened_at: openedAt.toISOString(),
  closed_at: (closedAt ?? openedAt).toISOString(),
});

export const toEvent = ({ id, createdAt, actor, kind, text }: EventRow): BotEvent => ({
  id,
  at: createdAt.toISOString(),
  actor,
  kind,
  text,
});
