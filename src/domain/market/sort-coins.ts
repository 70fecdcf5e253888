import type { CryptoItem, Currency, Period, Quote } from '#contract/market/market.ts';
import { figure } from './figures.ts';

/** What a list can be sorted by: a column. */
export type SortKey = 'name' | 'price' | Period | 'volume' | 'cap';

const FIGURES: Partial<Record<SortKey, keyof Quote>> = { price: 'price', volume: 'volume_24h', cap: 'market_cap' };

/** Returns the figure of a column. */
const columnFigure = (key: Exclude<SortKey, 'name'>): keyof Quote => FIGURES[key] ?? `percent_change_${key as Period}`;

/**
 * Sorts coins by a column: `price` has the highest first, `-price` the lowest. Unknown figures come last. An unknown `sort` keeps the
 * order.
 */
export function sortCoins(coins: readonly CryptoItem[], sort: string, currency: Currency): readonly CryptoItem[] {
  const [, minus, key] = /^(-?)(name|price|volume|cap|(?:1|24)h|(?:7|[369]0)d)$/.exec(sort) ?? [];
  if (!key) return coins;
  const sign = minus ? -1 : 1;
  if (key === 'name') return [...coins].sort((a, b) => sign * b.name.localeCompare(a.name, 'en'));
  const value = ({ quote }: CryptoItem) => figure(quote, columnFigure(key as Exclude<SortKey, 'name'>), currency)?.value;
  return [...coins].sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return sign * (right - left);
  });
}
