import { DAY } from '#domain/clock.ts';
import { formatSignedPercent, formatUsd } from '#domain/format/format-number.ts';
import { findLevels, type Level } from '#domain/market/levels.ts';
import { BITCOIN, type CandleSeries, type MarketCoin } from '#server/ports/market-data/market-data.ts';
import { coinLine } from './coin.ts';
import { coinName, list, table } from './format.ts';
import { dateOf } from './stamp.ts';

/** Candles on each side of a turning point: one day, to ignore moves within an hour. */
const REACH = 24;
const TOLERANCE = 0.0075;
const WINDOW = 180 * DAY;
const SHOWN = 4;

/** Finds Bitcoin's support and resistance around the current price. Undefined without candles or a price. */
export function levelsOf(coins: readonly MarketCoin[], series: CandleSeries | undefined) {
  const price = coins.find(({ id }) => id === BITCOIN)?.quote.USD.price;
  const last = series?.candles.at(-1);
  if (!series || !last || typeof price !== 'number') return undefined;
  const recent = series.candles.filter(({ time }) => time > last.time - WINDOW);
  const levels = findLevels(recent, { reach: REACH, tolerance: TOLERANCE, price });
  return {
    price,
    /** The nearest level to the price first. */
    supports: levels
      .filter(({ kind }) => kind === 'support')
      .reverse()
      .slice(0, SHOWN),
    resistances: levels.filter(({ kind }) => kind === 'resistance').slice(0, SHOWN),
    basis: `From ${series.source} candles of ${series.interval} each, ${dateOf(recent[0]?.time ?? last.time)} to ${dateOf(last.time)} (UTC). A level is the highest or lowest price of a day on each side. Prices within ${TOLERANCE * 100}% form one level. Touches count how often the price turned there.`,
  };
}

/** Answers with Bitcoin's support and resistance. */
export function answerLevels(coins: readonly MarketCoin[], bitcoin: MarketCoin | undefined, series: CandleSeries | undefined): string {
  const others = coins.filter(({ id }) => id !== bitcoin?.id);
  const refusal =
    others.length > 0
      ? [`I have no candles for ${list(others.map(coinName))}, so I can't find support or resistance there.`, ...others.map(coinLine)]
      : [];
  if (others.length > 0 && others.length === coins.length) return [...refusal, 'I can show the levels of Bitcoin.'].join('\n\n');
  const levels = bitcoin && levelsOf([bitcoin], series);
  if (!levels) return "I have no candles at the moment, so I can't find support or resistance.";
  const { price, supports, resistances, basis } = levels;
  return [
    `**${coinName(bitcoin)}** is at **${formatUsd(price)}**.`,
    ...section('Resistance above', resistances, price),
    ...section('Support below', supports, price),
    basis,
    ...refusal,
  ].join('\n\n');
}

/** Renders the levels nearest to the price. */
function section(title: string, levels: readonly Level[], price: number): string[] {
  if (levels.length === 0) return [`**${title}:** none in these candles.`];
  const rows = levels.map((level) => [
    formatUsd(level.price),
    formatSignedPercent((level.price / price - 1) * 100),
    String(level.touches),
    dateOf(level.lastTouch),
  ]);
  return [`**${title}**`, table(['Level', 'Distance', 'Touches', 'Last touch'], rows)];
}
