import type { FigureMetric } from '#contract/chat/answer-figures.ts';
import type { Period } from '#contract/market/market.ts';
import type { Coin } from '#domain/market/coin.ts';
import type { Metric, Query } from '../query.ts';
import type { Category } from '../reading/asked-category.ts';
import { bigUsd, changeOf, coinName, figureOf, METRIC_NAMES, metricOf, moved, movedOver, PERIOD_NAMES, table, totalCap } from './format.ts';
import { type Told, told } from './told.ts';

const USUAL_ROWS = 5;
const TOP_ROWS = 10;

/** "100 coins listed here", "8 meme coins listed here". */
const coinsOf = (market: readonly Coin[], category: Category | undefined): string =>
  `${market.length} ${category?.name ?? 'coins'} listed here`;

/** Answers with the top gainers and losers of a period. */
export function answerMovers({ side, period = '24h', count = USUAL_ROWS, otherPeriod, category }: Query, market: readonly Coin[]): string {
  const sorted = market
    .filter((coin) => changeOf(coin, period) !== null)
    .sort((a, b) => (changeOf(b, period) ?? 0) - (changeOf(a, period) ?? 0));
  const rose = sorted.filter((coin) => (changeOf(coin, period) ?? 0) > 0).slice(0, count);
  const fell = sorted
    .filter((coin) => (changeOf(coin, period) ?? 0) < 0)
    .reverse()
    .slice(0, count);
  const section = (title: string, coins: readonly Coin[]) => [
    `**${title} over ${PERIOD_NAMES[period]}**`,
    coins.length > 0
      ? table(
          ['Coin', 'Price', PERIOD_NAMES[period], 'Volume (24h)'],
          coins.map((coin) => [
            coinName(coin),
            figureOf(coin, 'price', {}),
            figureOf(coin, 'change', { period }),
            figureOf(coin, 'volume', {}),
          ]),
        )
      : 'None of the coins listed here.',
  ];
  return [
    ...(otherPeriod ? ['I have no changes for that period. These are for 24 hours.'] : []),
    ...(side === 'down' ? [] : section('Top gainers', rose)),
    ...(side === 'up' ? [] : section('Top losers', fell)),
    `Among the ${coinsOf(market, category)}.`,
  ].join('\n\n');
}

/** Answers with the coins that have the highest or lowest value of a figure. */
export function answerTop({ metrics, count = TOP_ROWS, period, category }: Query, folded: string, market: readonly Coin[]): string {
  const priced = /\b(cheapest|most expensive)\b/.test(folded);
  const traded = /\bmost traded\b/.test(folded);
  const metric: Metric = priced ? 'price' : traded ? 'volume' : (metrics.find((asked) => asked !== 'rank') ?? 'market_cap');
  const lowest = /\b(smallest|lowest|cheapest|least)\b/.test(folded);
  const value = (coin: Coin): number => sortable(coin, metric, period) ?? (lowest ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
  const coins = [...market].sort((a, b) => (lowest ? value(a) - value(b) : value(b) - value(a))).slice(0, count);
  const name = metric === 'change' ? `Change over ${PERIOD_NAMES[period ?? '24h']}` : METRIC_NAMES[metric];
  const columns: readonly Metric[] = [
    ...new Set<Metric>(['price', 'change', metric === 'price' || metric === 'change' ? 'market_cap' : metric]),
  ];
  const total = totalCap(market);
  return [
    `**${lowest ? 'Lowest' : 'Highest'} by ${name.charAt(0).toLowerCase()}${name.slice(1)}**, among the ${coinsOf(market, category)}`,
    table(
      ['Coin', ...columns.map((column) => (column === 'change' ? PERIOD_NAMES[period ?? '24h'] : METRIC_NAMES[column]))],
      coins.map((coin) => [
        coinName(coin),
        ...columns.map((column) => figureOf(coin, column, { period, total, isOfKind: category !== undefined })),
      ]),
    ),
  ].join('\n\n');
}

/** Rank and dominance follow the market cap. */
const sortable = (coin: Coin, metric: Metric, period: Query['period']): number | null | undefined =>
  metricOf(coin, metric === 'rank' || metric === 'dominance' ? 'market_cap' : metric, { period });

/** Returns the change of the market cap of coins together, percent, and how many rose and fell. Leaves out coins without a known change. */
export function breadthOf(market: readonly Coin[], period: Period): { change: number | null; rising: number; falling: number } {
  const known = market.flatMap((coin) => {
    const change = changeOf(coin, period);
    const cap = coin.quote.USD.market_cap;
    return cap === null || change === null ? [] : [{ now: cap, before: cap / (1 + change / 100), change }];
  });
  const now = known.reduce((sum, coin) => sum + coin.now, 0);
  const before = known.reduce((sum, coin) => sum + coin.before, 0);
  return {
    change: before === 0 ? null : (now / before - 1) * 100,
    rising: known.filter(({ change }) => change > 0).length,
    falling: known.filter(({ change }) => change < 0).length,
  };
}

/** Answers with the whole market: market cap, volume, leaders and breadth. */
export function answerOverview({ period = '24h', category }: Query, market: readonly Coin[]): string {
  const cap = totalCap(market);
  const volume = market.reduce((sum, { quote }) => sum + (quote.USD.volume_24h ?? 0), 0);
  const { change, rising, falling } = breadthOf(market, period);
  const leaders = market.filter(({ symbol }) => symbol === 'BTC' || symbol === 'ETH');
  const sorted = market
    .filter((coin) => changeOf(coin, period) !== null)
    .sort((a, b) => (changeOf(b, period) ?? 0) - (changeOf(a, period) ?? 0));
  const [best] = sorted;
  const worst = sorted.at(-1);
  const of = `the ${coinsOf(market, category)}`;
  const sum = (shown: string, { metric, ...about }: Omit<Told, 'now'> & { metric: FigureMetric }) =>
    // The sums of a kind of coins have no current figure to compare with.
    told(shown, { ...about, tool: 'calculation', now: category ? undefined : { metric, period } });
  const over = `over ${PERIOD_NAMES[period]}`;
  const worth = sum(bigUsd(cap), { metric: 'market_cap', label: `Market cap of ${of}`, value: cap, unit: 'USD' });
  const turn = sum(moved(change), { metric: 'change', label: `Change of the market cap of ${of} ${over}`, value: change, unit: 'percent' });
  const traded = sum(bigUsd(volume), { metric: 'volume', label: `24-hour volume of ${of}`, value: volume, unit: 'USD' });
  const rose = sum(String(rising), { metric: 'rising', label: `Coins that rose ${over}`, value: rising, unit: 'count' });
  const fell = sum(String(falling), { metric: 'falling', label: `Coins that fell ${over}`, value: falling, unit: 'count' });
  return [
    `The ${coinsOf(market, category)} are worth **${worth}** together, ${turn} ${over}.`,
    [
      `- Volume (24h): ${traded}`,
      ...leaders.map((coin) => `- ${plainDominance(coin, { total: cap, isOfKind: category !== undefined })}`),
      `- Breadth: ${rose} rose and ${fell} fell ${over}`,
      ...(best && worst
        ? [`- Best: ${coinName(best)}, ${movedOver(best, period)}. Worst: ${coinName(worst)}, ${movedOver(worst, period)}`]
        : []),
    ].join('\n'),
  ].join('\n\n');
}

const plainDominance = (coin: Coin, share: { total: number; isOfKind: boolean }): string =>
  `${coinName(coin)}: ${figureOf(coin, 'price', {})}, ${movedOver(coin, '24h')} over 24 hours, ${figureOf(coin, 'dominance', share)} of the total (dominance)`;
