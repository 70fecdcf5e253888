import type { FigureMetric, FigureSubject } from '#contract/chat/answer-figures.ts';
import { formatPercent, formatUsd } from '#domain/format/format-number.ts';
import type { Bar } from '#domain/market/candles.ts';
import type { Coin } from '#domain/market/coin.ts';
import { candleAt, correlation, extremes, lastDays, MIN_RETURNS, maxDrawdown, volatility } from '#domain/market/price-history.ts';
import type { CoinDays } from '../figures.ts';
import type { Metric, Query } from '../query.ts';
import { dayOfWhen } from '../reading/asked-time.ts';
import { coinLine } from './coin.ts';
import { allPeriods, changeOf, coinName, list, METRIC_NAMES, moved, movedOver, PERIOD_NAMES, plain } from './format.ts';
import { dateOf } from './stamp.ts';
import { type Told, told } from './told.ts';

/** A coin with its daily candles, if there are any. */
export interface WithDays {
  coin: Coin;
  days: CoinDays | undefined;
}

/** Days of a question that names no span. */
const USUAL_SPAN = { extremes: 365, risk: 90, correlation: 90 };
const DAYS_A_YEAR = 365;
/** Days of a figure of all time. */
const LONGEST_SPAN = 40_000;

export const WHICH_COIN = 'Which coin do you mean? Name it, or its symbol.';

/** A figure that the daily candles of a coin give. */
const fromDays = ({ source, candles }: CoinDays): Pick<Told, 'tool' | 'source' | 'time'> => ({
  tool: 'candles',
  source: plain(source),
  time: candles.at(-1)?.time,
});

/** How to ask for today's value of a figure of the last days. */
const nowOver = (metric: FigureMetric, coin: Coin, span: number): FigureSubject => ({
  metric,
  coin: coin.id,
  days: Math.min(LONGEST_SPAN, Math.max(1, Math.ceil(span))),
});

/** An earlier price, which "Check now" compares with the current one. */
export function priceThen({ coin, days, name, price, time }: { coin: Coin; days: CoinDays; name: string; price: number; time: number }) {
  const label = `${name} of ${coinName(coin)} on ${dateOf(time)}`;
  return told(formatUsd(price), { ...fromDays(days), label, value: price, unit: 'USD', time, now: { metric: 'price', coin: coin.id } });
}

/** How far the price of a coin is from an earlier one: "up 3.10%". Empty without a price. */
export function movedFrom(coin: Coin, earlier: number, since: string): string {
  const current = coin.quote.USD.price;
  if (current === null) return '';
  const value = (current / earlier - 1) * 100;
  const now = { metric: 'price', coin: coin.id, times: 100 / earlier, plus: -100 } as const;
  return told(moved(value), { tool: 'calculation', label: `Change of ${coinName(coin)} since ${since}`, value, unit: 'percent', now });
}

/** A share in percent, of the last days. */
const percentOf = (share: number, { coin, days, label, now }: Required<WithDays> & { days: CoinDays; label: string; now: FigureSubject }) =>
  told(formatPercent(share * 100), { ...fromDays(days), label: `${label} of ${coinName(coin)}`, value: share * 100, unit: 'percent', now });

/** Answers with the highest and the lowest price of each coin. `now`: ms UTC. */
export function answerExtremes({ span = USUAL_SPAN.extremes }: Query, asked: readonly WithDays[], now: number): string {
  return perCoin(asked, ({ coin, days }) => {
    const shown = lastDays(days.candles, span, now);
    const found = extremes(shown);
    if (!found) return undefined;
    const line = (name: string, { price, time }: { price: number; time: number }) => {
      const about = { ...fromDays(days), label: `${name} price of ${coinName(coin)}`, value: price, unit: 'USD', time } as const;
      const shownPrice = told(formatUsd(price), { ...about, now: nowOver(name === 'Highest' ? 'high' : 'low', coin, span) });
      const from = movedFrom(coin, price, dateOf(time));
      return `- ${name}: **${shownPrice}** on ${dateOf(time)}${from && `. The price is ${from} from there`}`;
    };
    const limit = span > DAYS_A_YEAR ? ' What came before is not in them.' : '';
    return [
      `**${coinName(coin)}**, ${rangeOf(shown)}`,
      [line('Highest', found.high), line('Lowest', found.low)].join('\n'),
      `${basisOf(days)}${limit}`,
    ].join('\n\n');
  });
}

/** Answers with how far the price of each coin swings, and how far it fell. */
export function answerRisk({ span: named }: Query, asked: readonly WithDays[], now: number): string {
  // "In a day" is the unit of a swing, not a span.
  const span = named === undefined || named <= 1 ? USUAL_SPAN.risk : named;
  return perCoin(asked, ({ coin, days }) => {
    const shown = lastDays(days.candles, span, now);
    const swing = volatility(shown);
    const fall = maxDrawdown(shown);
    const yearly = Math.sqrt(DAYS_A_YEAR);
    const about = { coin, days, label: 'Daily volatility', now: nowOver('volatility', coin, span) };
    const aYear = { ...about, label: 'Yearly volatility', now: { ...about.now, times: yearly } };
    const then = (name: string, { price, time }: { price: number; time: number }) =>
      `${priceThen({ coin, days, name, price, time })} (${dateOf(time)})`;
    const lines = [
      swing === undefined
        ? `- Volatility: I need at least ${MIN_RETURNS} days in a row for it.`
        : `- Volatility: **${percentOf(swing, about)}** a day, ${percentOf(swing * yearly, aYear)} a year (standard deviation of daily changes)`,
      fall
        ? `- Largest fall: **${percentOf(fall.share, { ...about, label: 'Largest fall', now: nowOver('drawdown', coin, span) })}**, from ${then('Close', fall.peak)} to ${then('Close', fall.trough)}, closing prices`
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
  const subject = { ...nowOver('correlation', one.coin, span), other: other.coin.id };
  const about = { ...fromDays(one.days), label: `Correlation of ${names}`, value: found.value, unit: 'ratio', now: subject } as const;
  return [
    `The daily changes of ${names} have a correlation of **${told(found.value.toFixed(2), about)}**, ${rangeOf(left)}.`,
    '1 means that they always move together, 0 that one says nothing about the other, and -1 that they move against each other.',
    `${basisOf(one.days)} ${found.days} common days.`,
  ].join('\n\n');
}

/** Days from which on a close is told where both are known. */
const LONG_AGO = 31;
/** Figures whose earlier values are not stored. */
const NO_HISTORY: readonly Metric[] = ['market_cap', 'volume', 'fully_diluted', 'rank', 'supply', 'dominance'];

/** Answers with earlier prices: those of a day from candles, otherwise an estimate from the current price and its change. */
export function answerPast({ metrics, period, when }: Query, asked: readonly WithDays[], now: number): string {
  const day = when && dayOfWhen(when, now);
  const parts = asked.map(({ coin, days }) => {
    const candle = day === undefined || !days ? undefined : candleAt(days.candles, day);
    // A close says more than an estimate; of the last weeks, the change is of the same hour.
    const isLongAgo = when !== undefined && 'daysAgo' in when && when.daysAgo >= LONG_AGO;
    if (candle && days && (!period || isLongAgo)) return closedAt(coin, days, candle);
    const change = period && changeOf(coin, period);
    const { price } = coin.quote.USD;
    if (!period || typeof change !== 'number' || price === null)
      return [missingDay(day, days), coinLine(coin)].filter(Boolean).join('\n\n');
    const value = price / (1 + change / 100);
    const label = `Price of ${coinName(coin)} ${PERIOD_NAMES[period]} before, calculated from its change`;
    const now = { metric: 'price', coin: coin.id } as const;
    const about = told(approximately(value), { tool: 'calculation', label, value, unit: 'USD', now });
    return `${coinName(coin)} was at about **${about}** ${PERIOD_NAMES[period]} ago, calculated from its change. It is ${movedOver(coin, period)} since then.`;
  });
  const other = metrics.find((metric) => NO_HISTORY.includes(metric));
  const head = other
    ? [`I know earlier prices only, not an earlier ${METRIC_NAMES[other].toLowerCase()}.`]
    : period || day !== undefined
      ? []
      : [`I can give the close of a day, such as "on 3 March", and the changes over ${allPeriods}.`];
  return [...head, ...parts].join('\n\n');
}

function closedAt(coin: Coin, days: CoinDays, { close, open, high, low, time }: Bar): string {
  const change = movedFrom(coin, close, dateOf(time));
  const since = change && ` It is ${change} since then.`;
  const then = (name: string, price: number) => priceThen({ coin, days, name, price, time });
  return [
    `${coinName(coin)} closed at **${then('Close', close)}** on ${dateOf(time)} (UTC).${since}`,
    `That day: opened at ${then('Open', open)}, high ${then('High', high)}, low ${then('Low', low)}.`,
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
