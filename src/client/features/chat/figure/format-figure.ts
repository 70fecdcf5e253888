import type { FigureTool, FigureUnit } from '#contract/chat/answer-figures.ts';
import { formatBtc, formatSignedPercent, formatUsd } from '#domain/format/format-number.ts';

export const TOOL_NAMES: Record<FigureTool, string> = {
  quotes: 'Market figures',
  candles: 'Candles',
  levels: 'Support and resistance in candles',
  calculation: 'Calculation from market figures',
  picture: 'The picture of the question',
  account: 'Your account',
};

export const UNIT_NAMES: Record<FigureUnit, string> = {
  USD: 'US dollars',
  BTC: 'Bitcoin',
  coins: 'Coins',
  percent: 'Percent',
  rank: 'Rank, 1 is the largest',
  count: 'Number',
  ratio: 'From -1 to 1',
  unknown: 'Not known',
};

const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 8 });
const points = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, signDisplay: 'exceptZero' });

/** Formats the value of a figure in full: "$1,912,345,678.90", "1.31%", "#3". */
export function formatFigure(value: number, unit: FigureUnit): string {
  switch (unit) {
    case 'USD':
      return formatUsd(value);
    case 'BTC':
      return formatBtc(value);
    case 'percent':
      return formatSignedPercent(value);
    case 'rank':
      return `#${exact.format(value)}`;
    case 'ratio':
      return value.toFixed(2);
    default:
      return exact.format(value);
  }
}

/** Says how far a figure moved: "+$1,200.00 (+1.31%)", "-0.20 percentage points", "No difference". */
export function formatDifference(before: number, now: number, unit: FigureUnit): string {
  const difference = now - before;
  if (formatFigure(before, unit) === formatFigure(now, unit)) return 'No difference';
  if (unit === 'percent') return `${points.format(difference)} percentage points`;
  if (unit === 'ratio') return points.format(difference);
  const sign = difference > 0 ? '+' : '-';
  const amount = `${sign}${formatFigure(Math.abs(difference), unit === 'rank' ? 'count' : unit)}`;
  // A share of a rank or a count means little, and so does one of a figure that has changed its sign.
  const hasShare = unit !== 'rank' && unit !== 'count' && before > 0 && now >= 0;
  return hasShare ? `${amount} (${formatSignedPercent((now / before - 1) * 100)})` : amount;
}

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** "13 May 2026, 09:30 UTC"; a time that cannot be read stays as it is. */
export function formatMoment(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : `${moment.format(time)} UTC`;
}
