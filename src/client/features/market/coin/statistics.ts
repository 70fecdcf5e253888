import { formatFigure } from '#client/coins/money/money.ts';
import type { CryptoDetails } from '#contract/market/coin-details.ts';
import type { CryptoItem } from '#contract/market/market.ts';
import { formatCompact, formatSignedPercent, formatSymbol } from '#domain/format/format-number.ts';
import { figure } from '#domain/market/figures.ts';
import { volumeToCap } from '#domain/market/volume-to-cap.ts';

export interface Statistic {
  label: string;
  text: string;
}

/** Statistics of a coin whose details are complete. */
export const MAX_STATISTICS = 11;

/** Returns the known statistics. Those of the list come first, so that they keep their places when the details load. */
export function statistics({ id, symbol, rank, quote }: CryptoItem, details: CryptoDetails | undefined): Statistic[] {
  const amount = (name: 'market_cap' | 'volume_24h' | 'fully_diluted_market_cap') => {
    const found = figure(quote, name);
    return found && formatFigure(found);
  };
  const volumeChange = figure(quote, 'volume_change_24h');
  const supply = (count: number | null | undefined) => (count == null ? undefined : `${formatCompact(count)} ${formatSymbol(symbol)}`);

  const all: [label: string, text: string | undefined][] = [
    ['Market Cap', amount('market_cap')],
    ['Volume 24h', amount('volume_24h')],
    ['Vol/Mkt Cap', volumeToCap(quote)],
    ['Fully Diluted Market Cap', amount('fully_diluted_market_cap')],
    ['Volume Change 24h', volumeChange && formatSignedPercent(volumeChange.value)],
    ['Rank', rank === null ? undefined : `#${rank}`],
    ['UCID', String(details?.ucid ?? id)],
    ['Circulating Supply', supply(details?.circulating_supply)],
    ['Total Supply', supply(details?.total_supply)],
    ['Max Supply', supply(details?.max_supply)],
    ['Rating', details?.ratingScore == null ? undefined : formatCompact(details.ratingScore)],
  ];
  return all.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }]));
}
