import { DAY } from '#domain/clock.ts';
import type { CourseFigures, TradeFigures } from './figures.ts';
import type { EquityPoint } from './run-backtest.ts';
import type { Trade } from './trades.ts';

/** Formats a rounded zero without a minus sign. */
const fixed = (value: number, places: number) => value.toFixed(places).replace(/^-(?=[0.]+$)/, '');
const percent = (value: number | null) => (value === null ? '–' : `${fixed(value * 100, 1)}%`);
const plain = (value: number | null) => (value === null ? '–' : fixed(value, 2));
const days = (ms: number) => `${Math.round(ms / DAY)} days`;

/** Returns the figures that compare the strategy with buy and hold: each one's name, the strategy's and the holding's. */
export const figureRows = (strategy: CourseFigures & TradeFigures, holding: CourseFigures): [string, string, string][] => [
  ['Start, USD', strategy.start.toFixed(2), holding.start.toFixed(2)],
  ['End, USD', strategy.end.toFixed(2), holding.end.toFixed(2)],
  ['Total return', percent(strategy.totalReturn), percent(holding.totalReturn)],
  ['CAGR', percent(strategy.cagr), percent(holding.cagr)],
  ['Max drawdown', percent(strategy.maxDrawdown), percent(holding.maxDrawdown)],
  ['Sharpe', plain(strategy.sharpe), plain(holding.sharpe)],
  ['Sortino', plain(strategy.sortino), plain(holding.sortino)],
  ['Calmar', plain(strategy.calmar), plain(holding.calmar)],
  ['Profit factor', plain(strategy.profitFactor), ''],
  ['Win rate', percent(strategy.winRate), ''],
  ['Exposure', percent(strategy.exposure), percent(holding.exposure)],
  ['Trades', String(strategy.trades), ''],
  ['Longest drawdown', days(strategy.longestDrawdown), days(holding.longestDrawdown)],
  ['Worst month', percent(strategy.worstMonth), percent(holding.worstMonth)],
];

/** Returns the figures as a terminal table. */
export const figuresTable = (strategy: CourseFigures & TradeFigures, holding: CourseFigures): string =>
  [['', 'Strategy', 'Buy and hold'] as const, ...figureRows(strategy, holding)]
    .map(([name, ours, theirs]) => `${name.padEnd(18)}${ours.padStart(14)}${theirs.padStart(14)}`.trimEnd())
    .join('\n');

/** Writes trades as CSV: times in ms UTC, prices and amounts in USD, quantity in BTC, `pnl` net of fees and funding. */
export const tradesCsv = (trades: readonly Trade[]): string =>
  lines('opened_at,closed_at,side,entry,exit,quantity,pnl,fees,funding,reason', trades, (trade) => [
    trade.openedAt,
    trade.closedAt,
    trade.side,
    trade.entry,
    trade.exit,
    trade.quantity,
    cents(trade.pnl),
    cents(trade.fees),
    cents(trade.funding),
    trade.reason,
  ]);

/** Writes the equity at each candle's close as CSV: ms UTC, USD of the strategy, USD of buy and hold. */
export const equityCsv = (equity: readonly EquityPoint[], holding: readonly EquityPoint[]): string =>
  lines('timestamp,equity,buy_and_hold', equity, ({ at, equity: usd }, index) => [at, cents(usd), cents(holding[index]?.equity ?? 0)]);

const lines = <T>(header: string, rows: readonly T[], cellsOf: (row: T, index: number) => (string | number)[]): string =>
  `${[header, ...rows.map((row, index) => cellsOf(row, index).join(','))].join('\n')}\n`;

/** Rounds to the book's unit, a hundredth of a cent. */
const cents = (usd: number): number => Number(usd.toFixed(4));
