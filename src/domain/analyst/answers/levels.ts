import { DAY } from '#domain/clock.ts';
import { formatSignedPercent, formatUsd } from '#domain/format/format-number.ts';
import { BITCOIN, type Coin } from '#domain/market/coin.ts';
import { findLevels, type Level } from '#domain/market/levels.ts';
import type { BitcoinHours } from '../figures.ts';
import { coinName, figureOf, plain, table } from './format.ts';
import { basisOf, type WithDays, withoutDays } from './history.ts';
import { dateOf } from './stamp.ts';
import { told } from './told.ts';

/** Candles on each side of a turning point: one day, to ignore moves within an hour. */
const REACH = 24;
const TOLERANCE = 0.0075;
const WINDOW = 180 * DAY;
const SHOWN = 4;
/** The same for daily candles. */
const DAYS_REACH = 5;
const DAYS_TOLERANCE = 0.015;
const MAX_COINS = 2;

interface Levels {
  price: number;
  supports: Level[];
  resistances: Level[];
  /** What the levels come from. */
  basis: string;
  source: string;
  /** The last candle, ms UTC. */
  time: number;
}

/** Returns the nearest levels to the price, that one first. */
const nearest = (levels: readonly Level[]) => ({
  supports: levels
    .filter(({ kind }) => kind === 'support')
    .reverse()
    .slice(0, SHOWN),
  resistances: levels.filter(({ kind }) => kind === 'resistance').slice(0, SHOWN),
});

/** Finds Bitcoin's support and resistance around the current price. Undefined without candles or a price. */
export function levelsOf(coins: readonly Coin[], series: BitcoinHours | undefined): Levels | undefined {
  const price = coins.find(({ id }) => id === BITCOIN)?.quote.USD.price;
  const last = series?.candles.at(-1);
  if (!series || !last || typeof price !== 'number') return undefined;
  const recent = series.candles.filter(({ time }) => time > last.time - WINDOW);
  const levels = findLevels(recent, { reach: REACH, tolerance: TOLERANCE, price });
  return {
    price,
    ...nearest(levels),
    source: plain(series.source),
    time: last.time,
    basis: `From ${series.source} candles of ${series.interval} each, ${dateOf(recent[0]?.time ?? last.time)} to ${dateOf(last.time)} (UTC). A level is the highest or lowest price of a day on each side. Prices within ${TOLERANCE * 100}% form one level. Touches count how often the price turned there.`,
  };
}

/** Finds support and resistance of any coin in its daily candles. Undefined without candles or a price. */
function dailyLevelsOf({ coin, days }: WithDays): Levels | undefined {
  const { price } = coin.quote.USD;
  const last = days?.candles.at(-1);
  if (!days || !last || price === null) return undefined;
  return {
    ...nearest(findLevels(days.candles, { reach: DAYS_REACH, tolerance: DAYS_TOLERANCE, price })),
    price,
    source: plain(days.source),
    time: last.time,
    basis: `${basisOf(days)} A level is the highest or lowest price of ${DAYS_REACH} days on each side. Prices within ${DAYS_TOLERANCE * 100}% form one level. Touches count how often the price turned there.`,
  };
}

const NO_LEVELS = "I have no candles at the moment, so I can't find support or resistance.";

/** Answers with support and resistance of up to two coins. `series`: Bitcoin's hourly candles. */
export function answerLevels(asked: readonly WithDays[], series: BitcoinHours | undefined): string {
  if (asked.length === 0) return NO_LEVELS;
  const without: WithDays[] = [];
  const parts = asked.slice(0, MAX_COINS).flatMap((each) => {
    const levels = (each.coin.id === BITCOIN ? levelsOf([each.coin], series) : undefined) ?? dailyLevelsOf(each);
    if (!levels) without.push(each);
    return levels ? [levelsText(each.coin, levels)] : [];
  });
  if (without.some(({ coin }) => coin.id === BITCOIN)) return NO_LEVELS;
  return [...parts, ...(without.length > 0 ? [withoutDays(without)] : [])].join('\n\n');
}

const levelsText = (coin: Coin, found: Levels): string =>
  [
    `**${coinName(coin)}** is at **${figureOf(coin, 'price', {})}**.`,
    ...section('Resistance above', coin, { ...found, levels: found.resistances }),
    ...section('Support below', coin, { ...found, levels: found.supports }),
    found.basis,
  ].join('\n\n');

/** Renders the levels nearest to the price. */
function section(title: string, coin: Coin, { levels, price, source, time }: Levels & { levels: readonly Level[] }): string[] {
  if (levels.length === 0) return [`**${title}:** none in these candles.`];
  const rows = levels.map((level) => {
    const name = `${level.kind === 'support' ? 'Support' : 'Resistance'} of ${coinName(coin)}`;
    const about = { tool: 'levels', source, time } as const;
    const distance = (level.price / price - 1) * 100;
    const away = { metric: 'price', over: coin.id, times: level.price * 100, plus: -100 } as const;
    return [
      told(formatUsd(level.price), { ...about, label: name, value: level.price, unit: 'USD', now: { metric: 'price', coin: coin.id } }),
      told(formatSignedPercent(distance), { ...about, label: `Distance to the ${name}`, value: distance, unit: 'percent', now: away }),
      told(String(level.touches), { ...about, label: `Touches of the ${name}`, value: level.touches, unit: 'count' }),
      dateOf(level.lastTouch),
    ];
  });
  return [`**${title}**`, table(['Level', 'Distance', 'Touches', 'Last touch'], rows)];
}
