import { DAY } from '../../../../domain/clock';
import { formatSignedPercent, formatUsd } from '../../../../domain/format-number';
import { findLevels, type Level } from '../../../../domain/levels';
import type { CandleSeries, MarketCoin } from '../../market-data/market-data';
import { coinLine } from './coin';
import { dateOf } from './stamp';
import { coinName, list, table } from './words';

/** A day on each side: what the market turned at for more than an hour. */
const REACH = 24;
const TOLERANCE = 0.0075;
const WINDOW = 180 * DAY;
const SHOWN = 4;

/** Where BTC turned before, around its price of now, from the candles there are. */
export function answerLevels(coins: readonly MarketCoin[], bitcoin: MarketCoin | undefined, series: CandleSeries | undefined): string {
  const others = coins.filter(({ id }) => id !== bitcoin?.id);
  const refusal =
    others.length > 0
      ? [`I have no candles of ${list(others.map(coinName))}, so I can't tell support or resistance there.`, ...others.map(coinLine)]
      : [];
  if (others.length > 0 && others.length === coins.length) return [...refusal, 'I can tell the levels of Bitcoin.'].join('\n\n');
  const price = bitcoin?.quote.USD.price;
  const last = series?.candles.at(-1);
  if (!series || !last || !bitcoin || typeof price !== 'number')
    return "I have no candles at the moment, so I can't tell support or resistance.";
  const recent = series.candles.filter(({ time }) => time > last.time - WINDOW);
  const levels = findLevels(recent, { reach: REACH, tolerance: TOLERANCE, price });
  const below = levels.filter(({ kind }) => kind === 'support').reverse();
  const above = levels.filter(({ kind }) => kind === 'resistance');
  return [
    `**${coinName(bitcoin)}** is at **${formatUsd(price)}**.`,
    ...section('Resistance above', above, price),
    ...section('Support below', below, price),
    `From ${series.source} candles of ${series.interval} each, ${dateOf(recent[0]?.time ?? last.time)} to ${dateOf(last.time)} (UTC): prices that were the extreme of a day on each side, those within ${TOLERANCE * 100}% taken together. Touches say how often the price turned there.`,
    ...refusal,
  ].join('\n\n');
}

/** The levels nearest to the price. */
function section(title: string, levels: readonly Level[], price: number): string[] {
  if (levels.length === 0) return [`**${title}:** none in these candles.`];
  const rows = levels
    .slice(0, SHOWN)
    .map((level) => [
      formatUsd(level.price),
      formatSignedPercent((level.price / price - 1) * 100),
      String(level.touches),
      dateOf(level.lastTouch),
    ]);
  return [`**${title}**`, table(['Level', 'Distance', 'Touches', 'Last touch'], rows)];
}
