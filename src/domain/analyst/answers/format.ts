import type { FigureUnit } from '#contract/chat/answer-figures.ts';
import { PERIODS } from '#contract/market/choices.ts';
import type { Period } from '#contract/market/market.ts';
import { direction, formatBtc, formatCompact, formatSignedPercent, formatUsd } from '#domain/format/format-number.ts';
import { BITCOIN, type Coin } from '#domain/market/coin.ts';
import type { Metric } from '../query.ts';
import { type Told, told } from './told.ts';

export const PERIOD_NAMES: Record<Period, string> = {
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '60d': '60 days',
  '90d': '90 days',
};

export const allPeriods = `${PERIODS.slice(0, -1)
  .map((period) => PERIOD_NAMES[period])
  .join(', ')} and ${PERIOD_NAMES['90d']}`;

/** Removes Markdown syntax and the marks of figures from a provider's text. */
export const plain = (text: string): string =>
  text
    .replace(/[|<>`*_[\]\\#~\ue000-\ue002]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

export const coinName = ({ name, symbol }: Pick<Coin, 'name' | 'symbol'>): string =>
  name === symbol ? plain(name) : `${plain(name)} (${plain(symbol)})`;

export const changeOf = (coin: Coin, period: Period): number | null => coin.quote.USD[`percent_change_${period}`];

/** "up 1.31%", "down 0.20%", "unchanged". */
export function moved(change: number | null): string {
  if (change === null) return 'with an unknown change';
  // A change that rounds to 0.00% is no change.
  const way = direction(Number(change.toFixed(2)));
  return way === 'flat' ? 'unchanged' : `${way} ${formatSignedPercent(change).slice(1)}`;
}

/** How far the price of a coin moved over a period. */
export const movedOver = (coin: Coin, period: Period): string =>
  told(moved(changeOf(coin, period)), { ...ofCoin(coin, 'change', { period }), value: changeOf(coin, period), unit: 'percent' });

/** How far the 24-hour volume of a coin moved from the day before. */
export function volumeMoved(coin: Coin): string {
  const change = coin.quote.USD.volume_change_24h;
  const label = `Change of the 24-hour volume of ${coinName(coin)}`;
  return told(moved(change), { label, value: change, unit: 'percent', now: { metric: 'volume_change', coin: coin.id } });
}

/** Formats large amounts: `$1.9T`. */
export const bigUsd = (value: number | null): string => (value === null ? formatCompact(null) : `$${formatCompact(value)}`);

interface Of {
  period?: Period | undefined;
  /** The USD market cap that a share is of. */
  total?: number;
  /** The share is of a kind of coins, instead of all listed ones. */
  isOfKind?: boolean;
}

/** Returns one figure of a coin; null or undefined if it is unknown. Changes need `period`; dominance needs `total`. */
export function metricOf(coin: Coin, metric: Metric, { period = '24h', total = 0 }: Of): number | null | undefined {
  const { USD } = coin.quote;
  switch (metric) {
    case 'price':
      return USD.price;
    case 'change':
      return changeOf(coin, period);
    case 'market_cap':
      return USD.market_cap;
    case 'volume':
      return USD.volume_24h;
    case 'fully_diluted':
      return USD.fully_diluted_market_cap;
    case 'rank':
      return coin.rank;
    case 'supply':
      return coin.circulatingSupply;
    case 'dominance':
      return USD.market_cap === null || total === 0 ? null : (USD.market_cap / total) * 100;
  }
}

const UNITS: Record<Metric, FigureUnit> = {
  price: 'USD',
  change: 'percent',
  market_cap: 'USD',
  volume: 'USD',
  fully_diluted: 'USD',
  rank: 'rank',
  supply: 'coins',
  dominance: 'percent',
};

function formatValue(metric: Metric, value: number | null): string {
  if (value === null) return formatCompact(null);
  switch (metric) {
    case 'price':
      return formatUsd(value);
    case 'change':
      return formatSignedPercent(value);
    case 'rank':
      return `#${value}`;
    case 'supply':
      return formatCompact(value);
    case 'dominance':
      return `${value.toFixed(2)}%`;
    default:
      return bigUsd(value);
  }
}

/** Formats one figure of a coin, as `metricOf` returns it. */
export function figureOf(coin: Coin, metric: Metric, of: Of): string {
  const value = metricOf(coin, metric, of) ?? null;
  return told(formatValue(metric, value), { ...ofCoin(coin, metric, of), value, unit: UNITS[metric] });
}

/** What a figure of a coin is, and how to ask for the current one. */
function ofCoin(coin: Coin, metric: Metric, { period = '24h', isOfKind }: Of): Pick<Told, 'label' | 'now'> {
  const label = `${LONG_NAMES[metric]} ${coinName(coin)}${metric === 'change' ? ` over ${PERIOD_NAMES[period]}` : ''}`;
  if (metric === 'dominance' && isOfKind) return { label };
  return { label, now: { metric, coin: coin.id, ...(metric === 'change' && { period }) } };
}

const LONG_NAMES: Record<Metric, string> = {
  price: 'Price of',
  change: 'Change of',
  market_cap: 'Market cap of',
  volume: '24-hour volume of',
  fully_diluted: 'Fully diluted market cap of',
  rank: 'Rank by market cap of',
  supply: 'Circulating supply of',
  dominance: 'Share of the market cap of',
};

export const METRIC_NAMES: Record<Metric, string> = {
  price: 'Price',
  change: 'Change',
  market_cap: 'Market cap',
  volume: 'Volume (24h)',
  fully_diluted: 'Fully diluted',
  rank: 'Rank',
  supply: 'Circulating',
  dominance: 'Share of market cap',
};

export const inBitcoin = (coin: Coin): string =>
  told(formatBtc(coin.quote.BTC.price), {
    label: `Price of ${coinName(coin)} in bitcoin`,
    value: coin.quote.BTC.price,
    unit: 'BTC',
    now: { metric: 'price', coin: coin.id, over: BITCOIN },
  });

/** Renders a Markdown table with names in the first column and figures in the others. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? ':---' : '---:'))), ...rows.map(line)].join('\n');
}

/** "a", "a and b", "a, b and c". */
export const list = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** Returns the market cap of all listed coins in USD. */
export const totalCap = (coins: readonly Coin[]): number => coins.reduce((sum, { quote }) => sum + (quote.USD.market_cap ?? 0), 0);
