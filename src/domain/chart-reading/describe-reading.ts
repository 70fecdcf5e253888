import type { ChartMarks, ChartReading } from '#contract/chat/chart-reading.ts';
import { formatCount } from '../format/format-count.ts';
import { formatUnitless } from '../format/format-unitless.ts';
import { isRead } from './is-read.ts';
import { type NamedChartLevel, nameLevels } from './level-names.ts';
import { type Swing, swingsOf } from './marks.ts';
import { priceAt } from './price-at.ts';
import { helpFor } from './warnings.ts';

/** Returns the marks that are drawn over a picture and stored with its question: the reading without its candles. */
export function marksOf(reading: ChartReading): ChartMarks {
  const { candles: _, axis, ...marks } = reading;
  if (!isRead(reading)) return { ...marks, trend: 'flat', levels: [] };
  return { ...marks, ...(axis && { axis }) };
}

/** Returns the built-in analyst's text about a picture, as Markdown: its content, the certainty and the limits. */
export function describeReading(reading: ChartReading): string {
  switch (reading.kind) {
    case 'none':
      return "I can't find a chart in this picture. A screenshot of candles with their price axis works best.";
    case 'other':
      return withWarnings(`This looks like a chart, but not of candles. ${confidenceOf(reading)} I read candles and bars only.`, reading);
    case 'line':
      if (!isRead(reading)) return describeUnread(reading);
      return withWarnings(
        `This looks like a line chart. ${confidenceOf(reading)} I read candles and bars only, because a line hides the highs and lows of each period. ${LINE_MOVES[reading.trend]}`,
        reading,
      );
    default:
      if (!isRead(reading)) return describeUnread(reading);
      return reading.candles.length > 0
        ? describeCandles(reading)
        : withWarnings(`This looks like ${nameOf(reading)}. ${confidenceOf(reading)}`, reading);
  }
}

const LIMITS = 'This describes only the picture. It predicts nothing and is no advice to buy or sell.';
const MOVES = { up: 'It rises', down: 'It falls', flat: 'It moves sideways' };
const LINE_MOVES = {
  up: 'From left to right it rises.',
  down: 'From left to right it falls.',
  flat: 'From left to right it ends near its start.',
};

const nameOf = ({ kind }: ChartReading) => (kind === 'bars' ? 'a bar chart of prices' : 'a candle chart');

function confidenceOf({ confidence }: ChartReading): string {
  const word = confidence >= 0.8 ? 'high' : confidence >= 0.5 ? 'medium' : 'low';
  return `Confidence: ${word} (${Math.round(confidence * 100)}%).`;
}

function describeUnread(reading: ChartReading): string {
  const reasons = reading.warnings.length > 0 ? ` ${reading.warnings.join(' ')}` : '';
  return [
    `I can't read this chart with enough confidence (${Math.round(reading.confidence * 100)}%), so I name no trend and no levels.${reasons}`,
    '**What would help**',
    helpFor(reading.warnings)
      .map((tip) => `- ${tip}`)
      .join('\n'),
  ].join('\n\n');
}

function describeCandles(reading: ChartReading): string {
  const { candles, trend, kind } = reading;
  const levels = nameLevels(reading.levels);
  const unit = kind === 'bars' ? 'bars' : 'candles';
  const range = `${MOVES[trend]}: the last close is ${offset(reading)}${ends(reading)}.`;
  return [
    `This is ${nameOf(reading)} with ${candles.length} ${unit}. ${confidenceOf(reading)}`,
    `**Trend in the picture:** ${trend === 'flat' ? 'flat' : trend}. ${range}`,
    ...swingsSection(reading),
    ...levelSection(
      'Resistance above the last close',
      levels.filter((level) => level.kind === 'resistance'),
      reading,
    ),
    ...levelSection(
      'Support below the last close',
      levels.filter((level) => level.kind === 'support'),
      reading,
    ),
    ...(levels.length === 0 ? ['There are no levels, because no price turned twice at the same height.'] : []),
    ...axisSection(reading),
    ...warningSection(reading),
    LIMITS,
  ].join('\n\n');
}

/** Returns the distance of the last close from the first open, relative to the visible range. */
function offset({ candles }: ChartReading): string {
  const top = Math.min(...candles.map(({ high }) => high));
  const bottom = Math.max(...candles.map(({ low }) => low));
  const rise = ((candles[0]?.open ?? 0) - (candles.at(-1)?.close ?? 0)) / Math.max(1, bottom - top);
  const share = `${Math.round(Math.abs(rise) * 100)}% of the visible range`;
  if (Math.round(rise * 100) === 0) return 'where the first candle opened';
  return `${share} ${rise > 0 ? 'above' : 'below'} the first open`;
}

/** Returns the first and last price if the axis was read. */
function ends({ axis, candles }: ChartReading): string {
  const [first, last] = [candles[0], candles.at(-1)];
  return axis && first && last ? `, from ${formatPrice(priceAt(axis, first.open))} to ${formatPrice(priceAt(axis, last.close))}` : '';
}

function axisSection({ axis }: ChartReading): string[] {
  if (!axis) return [];
  return [
    `Prices come from the picture's axis, accurate to about ${formatUnitless(Math.abs(axis.perPixel), 2)} (one pixel). Their currency is unknown.`,
  ];
}

function swingsSection(reading: ChartReading): string[] {
  const swings = swingsOf(reading.candles);
  const extreme = (kind: Swing['kind'], better: (a: number, b: number) => boolean) =>
    swings
      .filter((swing) => swing.kind === kind)
      .reduce<Swing | undefined>((best, swing) => (best && !better(swing.y, best.y) ? best : swing), undefined);
  const high = extreme('high', (a, b) => a < b);
  const low = extreme('low', (a, b) => a > b);
  const parts = [
    ...(high ? [`the highest swing high is ${at(high.y, reading)}, ${along(high.x, reading)}`] : []),
    ...(low ? [`the lowest swing low ${at(low.y, reading)}, ${along(low.x, reading)}`] : []),
  ];
  if (parts.length === 0) return [];
  const count = (kind: Swing['kind']) => swings.filter((swing) => swing.kind === kind).length;
  return [`**Swings:** ${formatCount(count('high'), 'high')} and ${formatCount(count('low'), 'low')}; ${parts.join(', ')}.`];
}

function levelSection(title: string, levels: readonly NamedChartLevel[], reading: ChartReading): string[] {
  if (levels.length === 0) return [];
  return [
    `**${title}**`,
    levels
      .map(
        ({ name, y, price, touches }) => `- **${name}** ${price === undefined ? at(y, reading) : formatPrice(price)}, ${touches} touches`,
      )
      .join('\n'),
  ];
}

function warningSection({ warnings }: ChartReading): string[] {
  return warnings.length > 0 ? [`**Caution:** ${warnings.join(' ')}`] : [];
}

const withWarnings = (text: string, reading: ChartReading) => [text, ...warningSection(reading), LIMITS].join('\n\n');

/** Returns a price if the axis was read, otherwise a position. */
const at = (y: number, { plot, axis }: ChartReading) =>
  axis
    ? `at ${formatPrice(priceAt(axis, y))}`
    : `at ${Math.round((100 * (y - plot.y)) / Math.max(1, plot.height))}% of the plot's height from the top`;

function along(x: number, { plot }: ChartReading): string {
  const share = (x - plot.x) / Math.max(1, plot.width);
  return share < 1 / 3 ? 'in the left third' : share < 2 / 3 ? 'in the middle' : 'in the right third';
}

/** The currency is unknown, so only the number appears. */
const formatPrice = (price: number) => `about ${formatUnitless(price)}`;
