import { formatPercent, formatUsd } from '#domain/format/format-number.ts';
import type { Bar } from '#domain/market/candles.ts';
import type { Coin } from '#domain/market/coin.ts';
import { candleAt, correlation, extremes, lastDays, MIN_RETURNS, maxDrawdown, volatility } from '#domain/market/price-history.ts';
import type { CoinDays } from '../figures.ts';
import type { Query } from '../query.ts';
import { dayOfWhen } from '../reading/asked-time.ts';
import { coinLine } from './coin.ts';
import { allPeriods, changeOf, coinName, list, moved, PERIOD_NAMES, plain } from './format.ts';
import { dateOf } from './stamp.ts';

/** A coin with its daily candles, if there are any. */
export interface WithDays {
  coin: Coin;
  days: CoinDays | undefined;
}

/** Days of a question that names no span. */
const USUAL_SPAN = { extremes: 365, risk: 90, correlation: 90 };
const DAYS_A_YEAR = 365;

export const WHICH_COIN = 'Which coin do you mean? Name it, or its symbol.';

const percent = (share: number): string => formatPercent(share * 100);

/** Answers with the highest and the lowest price of each coin. `now`: ms UTC. */
export function answerExtremes({ span = USUAL_SPAN.extremes }: Query, asked: readonly WithDays[], now: number): string {
  return perCoin(asked, ({ coin, days }) => {
    const shown = lastDays(days.candles, span, now);
    const found = extremes(shown);
    if (!found) return undefined;
    const line = (name: string, { price, time }: { price: number; time: number }) =>
      `- ${name}: **${formatUsd(price)}** on ${dateOf(time)}${fromThere(coin, price)}`;
    const limit = span > DAYS_A_YEAR ? ' What came before is not in them.' : '';
    return [
      `**${coinName(coin)}**, ${rangeOf(shown)}`,
      [line('Highest', found.high), line('Lowest', found.low)].join('\n'),
      `${basisOf(days)}${limit}`,
    ].join('\n\n');
  });
}

/** How far the price is from an earlier one: ". The price is down 3.10% from there." */
function fromThere({ quote }: Coin, price: number): string {
  const current = quote.USD.price;
  return current === null ? '' : `. The price is ${moved((current / price - 1) * 100)} from there`;
}

/** Answers with how far the price of each coin swings, and how far it fell. */
export function answerRisk({ span = USUAL_SPAN.risk }: Query, asked: readonly WithDays[], now: number): string {
  return perCoin(asked, ({ coin, days }) => {
    const shown = lastDays(days.candles, span, now);
    const swing = volatility(shown);
    const fall = maxDrawdown(shown);
    const lines = [
      swing === undefined
        ? `- Volatility: I need at least ${MIN_RETURNS} days in a row for it.`
        : `- Volatility: **${percent(swing)}** a day, ${percent(swing * Math.sqrt(DAYS_A_YEAR))} a year (standard deviation of daily changes)`,
      fall
        ? `- Largest fall: **${percent(fall.share)}**, from ${formatUsd(fall.peak.price)} (${dateOf(fall.peak.time)}) to ${formatUsd(fall.trough.price)} (${dateOf(fall.trough.time)}), closing prices`
        : '- Largest fall: none',
    ];
    return [`**${coinName(coin)}**, ${rangeOf(shown)}`, lines.join('\n'), basisOf(days)].join('\n\n');
  });
}

/** Answers with how closely two coins move together. */
export function answerCorrelation({ span = USUAL_SPAN.correlation }: Query, [one, other]: readonly WithDays[], now: number): string {
  if (!one || !other) return 'Which two coins do you mean? Name both, such as "correlation of ETH and SOL".';
  const missing = [one, other].filter(({ days }) => !days);
  if (!one.days || !other.days) return withoutDays(missing);
  const [left, right] = [lastDays(one.days.candles, span, now), lastDays(other.days.candles, span, now)];
  const found = correlation(left, right);
  const names = `${coinName(one.coin)} and ${coinName(other.coin)}`;
  if (!found) return `I need at least ${MIN_RETURNS} common days of ${names} to compare their changes.`;
  return [
    `The daily changes of ${names} have a correlation of **${found.value.toFixed(2)}**, ${rangeOf(left)}.`,
    '1 means that they always move together, 0 that one says nothing about the other, and -1 that they move against each other.',
    `${basisOf(one.days)} ${found.days} common days.`,
  ].join('\n\n');
}

/** Answers with earlier prices: those of a day from candles, otherwise an estimate from the current price and its change. */
export function answerPast({ period, when }: Query, asked: readonly WithDays[], now: number): string {
  const day = when && dayOfWhen(when, now);
  const parts = asked.map(({ coin, days }) => {
    const candle = day === undefined || !days ? undefined : candleAt(days.candles, day);
    if (candle && days && !period) return closedAt(coin, days, candle);
    const change = period && changeOf(coin, period);
    const { price } = coin.quote.USD;
    if (!period || typeof change !== 'number' || price === null)
      return [missingDay(day, days), coinLine(coin)].filter(Boolean).join('\n\n');
    return `${coinName(coin)} was at about **${approximately(price / (1 + change / 100))}** ${PERIOD_NAMES[period]} ago, calculated from its change. It is ${moved(change)} since then.`;
  });
  const head =
    period || day !== undefined ? [] : [`I can give the close of a day, such as "on 3 March", and the changes over ${allPeriods}.`];
  return [...head, ...parts].join('\n\n');
}

function closedAt(coin: Coin, days: CoinDays, { close, open, high, low, time }: Bar): string {
  const current = coin.quote.USD.price;
  const since = current === null ? '' : ` It is ${moved((current / close - 1) * 100)} since then.`;
  return [
    `${coinName(coin)} closed at **${formatUsd(close)}** on ${dateOf(time)} (UTC).${since}`,
    `That day: opened at ${formatUsd(open)}, high ${formatUsd(high)}, low ${formatUsd(low)}.`,
    basisOf(days),
  ].join('\n\n');
}

function missingDay(day: number | undefined, days: CoinDays | undefined): string {
  if (day === undefined) return '';
  const first = days?.candles[0];
  return first ? `I have no price of ${dateOf(day)}: my candles begin on ${dateOf(first.time)}.` : `I have no price of ${dateOf(day)}.`;
}

/** Rounds to four digits, the precision of such an estimate. */
const approximately = (price: number): string => `$${new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 }).format(price)}`;

/** Answers coin by coin, and names the coins without candles. */
function perCoin(asked: readonly WithDays[], answer: (coin: WithDays & { days: CoinDays }) => string | undefined): string {
  if (asked.length === 0) return WHICH_COIN;
  const without: WithDays[] = [];
  const parts = asked.flatMap(({ coin, days }) => {
    const part = days && answer({ coin, days });
    if (!part) without.push({ coin, days });
    return part ? [part] : [];
  });
  return [...parts, ...(without.length > 0 ? [withoutDays(without)] : [])].join('\n\n');
}

/** Says that coins have no candles, and what else is known. */
export const withoutDays = (without: readonly WithDays[]): string =>
  [`I have no candles for ${list(without.map(({ coin }) => coinName(coin)))}.`, ...without.map(({ coin }) => coinLine(coin))].join('\n\n');

const rangeOf = (candles: readonly Bar[]): string => {
  const [first, last] = [candles[0], candles.at(-1)];
  return first && last ? `${dateOf(first.time)} to ${dateOf(last.time)}` : 'no days';
};

/** Says where candles come from. */
export const basisOf = ({ source, demo }: CoinDays): string =>
  demo ? `From daily candles (UTC) that the demo market has drawn, "${plain(source)}".` : `From daily candles (UTC) of ${plain(source)}.`;
