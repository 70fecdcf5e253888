import { PERIODS } from '#contract/market/choices.ts';
import type { Period } from '#contract/market/market.ts';
import { direction, formatBtc, formatCompact, formatSignedPercent, formatUsd } from '#domain/format/format-number.ts';
import type { Coin } from '#domain/market/coin.ts';
import type { Metric } from '../query.ts';

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

/** Removes Markdown syntax from a provider's text. */
export const plain = (text: string): string =>
  text
    .replace(/[|<>`*_[\]\\#~]/g, ' ')
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

/** Formats large amounts: `$1.9T`. */
export const bigUsd = (value: number | null): string => (value === null ? formatCompact(null) : `$${formatCompact(value)}`);

/** Formats one figure of a coin. Changes need `period`; dominance needs `total`, the USD market cap of all listed coins. */
export function figureOf(
  coin: Coin,
  metric: Metric,
  { period = '24h', total = 0 }: { period?: Period | undefined; total?: number },
): string {
  const { USD } = coin.quote;
  switch (metric) {
    case 'price':
      return formatUsd(USD.price);
    case 'change':
      return formatSignedPercent(changeOf(coin, period));
    case 'market_cap':
      return bigUsd(USD.market_cap);
    case 'volume':
      return bigUsd(USD.volume_24h);
    case 'fully_diluted':
      return bigUsd(USD.fully_diluted_market_cap);
    case 'rank':
      return coin.rank === null ? formatCompact(null) : `#${coin.rank}`;
    case 'supply':
      return formatCompact(coin.circulatingSupply);
    case 'dominance':
      return USD.market_cap === null || total === 0 ? formatCompact(null) : `${((USD.market_cap / total) * 100).toFixed(2)}%`;
  }
}

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

export const inBitcoin = (coin: Coin): string => formatBtc(coin.quote.BTC.price);

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
