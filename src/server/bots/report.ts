import type { BotEvent, BotTrade, Performance } from '../../contract/bot';
import { DAY } from '../../domain/clock';
import type { EventRow, TradeRow } from './store';

/** Points of a curve that is sent. */
const MOST_POINTS = 500;
/** Below this nothing can be told of a year, ms. */
const LEAST_SPAN = 30 * DAY;

interface Point {
  at: Date;
  equity: number;
}

/** What trading came to since `start`. Trades are those that are over; points oldest first. */
export function performanceOf(
  trades: readonly TradeRow[],
  points: readonly Point[],
  start: { at: Date; equity: number },
  now: number,
): Performance {
  const last = points.at(-1)?.equity ?? start.equity;
  const span = now - start.at.getTime();
  const growth = last / start.equity;
  let peak = start.equity;
  let drawdown = 0;
  for (const { equity } of points) {
    peak = Math.max(peak, equity);
    drawdown = Math.max(drawdown, 1 - equity / peak);
  }
  const won = trades.filter(({ pnl }) => pnl > 0);
  const gains = won.reduce((sum, { pnl }) => sum + pnl, 0);
  const losses = trades.reduce((sum, { pnl }) => sum + Math.max(0, -pnl), 0);
  return {
    from: start.at.toISOString(),
    to: new Date(now).toISOString(),
    trades: trades.length,
    total_return: growth - 1,
    annual_return: span < LEAST_SPAN ? null : Math.max(growth, 0) ** ((365 * DAY) / span) - 1,
    max_drawdown: drawdown,
    win_rate: trades.length === 0 ? null : won.length / trades.length,
    profit_factor: losses === 0 ? null : gains / losses,
  };
}

/** A curve in few points, its first and last among them. */
export function thin(points: readonly Point[]): { at: string; equity: number }[] {
  const step = Math.max(1, Math.ceil(points.length / (MOST_POINTS - 1)));
  return points
    .filter((_, index) => index % step === 0 || index === points.length - 1)
    .map(({ at, equity }) => ({ at: at.toISOString(), equity }));
}

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
  pnl,
  fees,
  funding,
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
