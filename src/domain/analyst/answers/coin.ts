import { PERIODS } from '#contract/market/choices.ts';
import { formatCompact } from '#domain/format/format-number.ts';
import type { Coin } from '#domain/market/coin.ts';
import { formatVolumeToCap } from '#domain/market/volume-to-cap.ts';
import type { Metric, Query } from '../query.ts';
import {
  allPeriods,
  changeOf,
  coinName,
  figureOf,
  inBitcoin,
  METRIC_NAMES,
  movedOver,
  PERIOD_NAMES,
  plain,
  table,
  totalCap,
  volumeMoved,
} from './format.ts';
import { told } from './told.ts';

const MAX_COMPARED = 8;

/** Answers with the figures of one or more coins: those the question names, or all. */
export function answerCoins(query: Query, coins: readonly Coin[], market: readonly Coin[]): string {
  const note = [
    ...(query.otherPeriod ? [`\n\nI only have changes over ${allPeriods}.`] : []),
    ...(query.otherCurrency ? ['\n\nI only give prices in US dollars and bitcoin.'] : []),
  ].join('');
  const [coin] = coins;
  if (!coin) return '';
  if (coins.length > 1) return comparison(query, coins.slice(0, MAX_COMPARED), market) + note;
  const asksFigures = query.metrics.length > 0 || query.period !== undefined || query.inBitcoin;
  return (asksFigures && !query.otherPeriod ? figures(query, coin, market) : everything(coin)) + note;
}

/** Returns one line on a coin, for answers on another subject. */
export const coinLine = (coin: Coin): string =>
  `**${coinName(coin)}** is at **${figureOf(coin, 'price', {})}**, ${movedOver(coin, '24h')} over 24 hours and ${movedOver(coin, '7d')} over 7 days.`;

/** Answers with all figures of a coin. */
export function everything(coin: Coin): string {
  const rank = coin.rank === null ? '' : ` Rank ${figureOf(coin, 'rank', {})} by market cap.`;
  const tags = (coin.tags ?? [])
    .map(({ name }) => plain(name))
    .filter((name) => !/portfolio|ecosystem|estate|securities|made in/i.test(name))
    .slice(0, 4);
  return [
    `**${coinName(coin)}** is at **${figureOf(coin, 'price', {})}**, ${movedOver(coin, '24h')} over 24 hours.${rank}`,
    table(
      ['Period', 'Change'],
      PERIODS.map((period) => [PERIOD_NAMES[period], figureOf(coin, 'change', { period })]),
    ),
    [
      `- Market cap: ${figureOf(coin, 'market_cap', {})}, fully diluted ${figureOf(coin, 'fully_diluted', {})}`,
      `- Volume (24h): ${figureOf(coin, 'volume', {})}, ${volumeMoved(coin)} from the day before, ${volumeToCap(coin)} of the market cap`,
      ...(coin.circulatingSupply === undefined ? [] : [`- Supply: ${supplyOf(coin)}`]),
      ...(coin.symbol === 'BTC' ? [] : [`- In bitcoin: ${inBitcoin(coin)}`]),
      ...(tags.length > 0 ? [`- Listed under: ${tags.join(', ')}`] : []),
    ].join('\n'),
  ].join('\n\n');
}

function figures({ metrics, period, inBitcoin: asksBitcoin }: Query, coin: Coin, market: readonly Coin[]): string {
  const asked: readonly Metric[] = metrics.length > 0 ? metrics : period ? ['price', 'change'] : ['price'];
  const sentence = (metric: Metric): string => {
    const figure = `**${figureOf(coin, metric, { period, total: totalCap(market) })}**`;
    switch (metric) {
      case 'price':
        return `The price of ${coinName(coin)} is ${figure}${asksBitcoin ? `, or **${inBitcoin(coin)}**` : ''}, ${movedOver(coin, period ?? '24h')} over ${PERIOD_NAMES[period ?? '24h']}.`;
      case 'change':
        return period ? `${coinName(coin)} changed by ${figure} over ${PERIOD_NAMES[period]}.` : changes(coin);
      case 'market_cap':
        return `The market cap of ${coinName(coin)} is ${figure}${coin.rank === null ? '' : `, rank ${figureOf(coin, 'rank', {})}`}.`;
      case 'volume':
        return `${coinName(coin)} has a 24-hour volume of ${figure}, ${volumeMoved(coin)} from the day before.`;
      case 'fully_diluted':
        return `Fully diluted, ${coinName(coin)} would be worth ${figure}.`;
      case 'rank':
        return `${coinName(coin)} has rank ${figure} by market cap.`;
      case 'supply':
        return supplySentence(coin, figure);
      case 'dominance':
        return `${coinName(coin)} makes up ${figure} of the market cap of the ${market.length} coins listed here.`;
    }
  };
  const lines = asked.map(sentence);
  // The price sentence includes the change.
  const repeats = period !== undefined && asked.includes('price');
  return lines.filter((_, index) => !(repeats && asked[index] === 'change')).join('\n\n');
}

const volumeToCap = (coin: Coin): string => {
  const { volume_24h: volume, market_cap: cap } = coin.quote.USD;
  return told(formatVolumeToCap(volume, cap), {
    label: `24-hour volume of ${coinName(coin)}, share of its market cap`,
    value: volume !== null && cap ? (volume / cap) * 100 : null,
    unit: 'percent',
    now: { metric: 'volume_to_cap', coin: coin.id },
  });
};

const maxSupplyOf = (coin: Coin): string =>
  told(formatCompact(coin.maxSupply), {
    label: `Maximum supply of ${coinName(coin)}`,
    value: coin.maxSupply,
    unit: 'coins',
    now: { metric: 'max_supply', coin: coin.id },
  });

/** "19.8M in circulation, at most 21M". */
function supplyOf(coin: Coin): string {
  const { maxSupply } = coin;
  const max = maxSupply === undefined ? '' : maxSupply === null ? ', no fixed maximum' : `, at most ${maxSupplyOf(coin)}`;
  return `${figureOf(coin, 'supply', {})} in circulation${max}`;
}

function supplySentence(coin: Coin, figure: string): string {
  if (coin.circulatingSupply === undefined) return `I do not have the supply of ${coinName(coin)} here.`;
  const { maxSupply } = coin;
  const max = maxSupply === undefined ? '' : maxSupply === null ? ', without a fixed maximum' : `, of at most ${maxSupplyOf(coin)}`;
  return `${figure} ${plain(coin.symbol)} are in circulation${max}.`;
}

const changes = (coin: Coin): string =>
  `Changes of ${coinName(coin)}: ${PERIODS.map((period) => `${figureOf(coin, 'change', { period })} over ${PERIOD_NAMES[period]}`).join(', ')}.`;

function comparison({ metrics, period }: Query, coins: readonly Coin[], market: readonly Coin[]): string {
  const usual: readonly Metric[] = ['price', 'change', 'market_cap', 'volume'];
  const asked = metrics.length > 0 ? [...new Set<Metric>([...metrics.filter((metric) => metric === 'price'), ...metrics])] : usual;
  const columns = asked.flatMap((metric) => {
    if (metric !== 'change' || period) return [{ metric, period }];
    return (['24h', '7d'] as const).map((each) => ({ metric, period: each }));
  });
  const head = columns.map((column) => (column.metric === 'change' ? PERIOD_NAMES[column.period ?? '24h'] : METRIC_NAMES[column.metric]));
  const total = totalCap(market);
  const rows = coins.map((coin) => [
    coinName(coin),
    ...columns.map((column) => figureOf(coin, column.metric, { period: column.period, total })),
  ]);
  const isOfPrices = asked.some((metric) => metric === 'price' || metric === 'change');
  return [table(['Coin', ...head], rows), ...(isOfPrices ? verdict(coins, period ?? '24h') : [])].join('\n\n');
}

/** Names the best and the worst coin of a comparison. */
function verdict(coins: readonly Coin[], period: keyof typeof PERIOD_NAMES): string[] {
  const ranked = coins
    .filter((coin) => changeOf(coin, period) !== null)
    .sort((a, b) => (changeOf(b, period) ?? 0) - (changeOf(a, period) ?? 0));
  const [best] = ranked;
  const worst = ranked.at(-1);
  if (!best || !worst || best === worst) return [];
  return [
    `Over ${PERIOD_NAMES[period]} ${plain(best.name)} did best (${movedOver(best, period)}) and ${plain(worst.name)} worst (${movedOver(worst, period)}).`,
  ];
}
