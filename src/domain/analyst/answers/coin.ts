import { PERIODS } from '#contract/market/choices.ts';
import { formatCompact, formatSignedPercent } from '#domain/format/format-number.ts';
import type { Coin } from '#domain/market/coin.ts';
import { formatVolumeToCap } from '#domain/market/volume-to-cap.ts';
import type { Metric, Query } from '../query.ts';
import {
  allPeriods,
  bigUsd,
  changeOf,
  coinName,
  figureOf,
  inBitcoin,
  METRIC_NAMES,
  moved,
  PERIOD_NAMES,
  plain,
  table,
  totalCap,
} from './format.ts';

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
  `**${coinName(coin)}** is at **${figureOf(coin, 'price', {})}**, ${moved(changeOf(coin, '24h'))} over 24 hours and ${moved(changeOf(coin, '7d'))} over 7 days.`;

function everything(coin: Coin): string {
  const { USD } = coin.quote;
  const rank = coin.rank === null ? '' : ` Rank #${coin.rank} by market cap.`;
  const tags = (coin.tags ?? [])
    .map(({ name }) => plain(name))
    .filter((name) => !/portfolio|ecosystem|estate|securities|made in/i.test(name))
    .slice(0, 4);
  return [
    `**${coinName(coin)}** is at **${figureOf(coin, 'price', {})}**, ${moved(USD.percent_change_24h)} over 24 hours.${rank}`,
    table(
      ['Period', 'Change'],
      PERIODS.map((period) => [PERIOD_NAMES[period], formatSignedPercent(changeOf(coin, period))]),
    ),
    [
      `- Market cap: ${bigUsd(USD.market_cap)}, fully diluted ${bigUsd(USD.fully_diluted_market_cap)}`,
      `- Volume (24h): ${bigUsd(USD.volume_24h)}, ${moved(USD.volume_change_24h)} from the day before, ${formatVolumeToCap(USD.volume_24h, USD.market_cap)} of the market cap`,
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
        return `The price of ${coinName(coin)} is ${figure}${asksBitcoin ? `, or **${inBitcoin(coin)}**` : ''}, ${moved(changeOf(coin, period ?? '24h'))} over ${PERIOD_NAMES[period ?? '24h']}.`;
      case 'change':
        return period ? `${coinName(coin)} changed by ${figure} over ${PERIOD_NAMES[period]}.` : changes(coin);
      case 'market_cap':
        return `The market cap of ${coinName(coin)} is ${figure}${coin.rank === null ? '' : `, rank #${coin.rank}`}.`;
      case 'volume':
        return `${coinName(coin)} has a 24-hour volume of ${figure}, ${moved(coin.quote.USD.volume_change_24h)} from the day before.`;
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

/** "19.8M in circulation, at most 21M". */
function supplyOf({ circulatingSupply, maxSupply }: Coin): string {
  const max = maxSupply === undefined ? '' : maxSupply === null ? ', no fixed maximum' : `, at most ${formatCompact(maxSupply)}`;
  return `${formatCompact(circulatingSupply)} in circulation${max}`;
}

function supplySentence(coin: Coin, figure: string): string {
  if (coin.circulatingSupply === undefined) return `I do not have the supply of ${coinName(coin)} here.`;
  const { maxSupply } = coin;
  const max = maxSupply === undefined ? '' : maxSupply === null ? ', without a fixed maximum' : `, of at most ${formatCompact(maxSupply)}`;
  return `${figure} ${plain(coin.symbol)} are in circulation${max}.`;
}

const changes = (coin: Coin): string =>
  `Changes of ${coinName(coin)}: ${PERIODS.map((period) => `${formatSignedPercent(changeOf(coin, period))} over ${PERIOD_NAMES[period]}`).join(', ')}.`;

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
  return [table(['Coin', ...head], rows), ...verdict(coins, period ?? '24h')].join('\n\n');
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
    `Over ${PERIOD_NAMES[period]} ${plain(best.name)} did best (${moved(changeOf(best, period))}) and ${plain(worst.name)} worst (${moved(changeOf(worst, period))}).`,
  ];
}
