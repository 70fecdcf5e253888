import { CURRENCIES, PERIODS } from '#contract/market/choices.ts';
import type { Currency, MarketListBody, Period } from '#contract/market/market.ts';
import { RANKINGS } from '#contract/market/rankings.ts';
import { amountFilter, changeFilter, volumeFilter } from '../format/input-filters.ts';

/** Options for the number of coins in a list. */
export const COUNTS = [5, 10, 20, 50, 100] as const;
export type Count = (typeof COUNTS)[number];

export const PERIOD_LABELS: Record<Period, string> = { '1h': '1hr', '24h': '24hrs', '7d': '7d', '30d': '1mo', '60d': '2mo', '90d': '3mo' };

export type FilterField = Exclude<keyof MarketListBody, 'limit' | 'convert' | 'sortType'>;

const BILLION = 1e9;

/** The eight filters: parameter of the address, typed text, and the request's value per unit of the field. */
export const FILTERS: readonly { field: FilterField; parameter: string; typed: (text: string) => string; unit: number }[] = [
  { field: 'marketCapMin', parameter: 'capMin', typed: amountFilter, unit: 1 },
  { field: 'marketCapMax', parameter: 'capMax', typed: amountFilter, unit: 1 },
  { field: 'priceMin', parameter: 'priceMin', typed: amountFilter, unit: 1 },
  { field: 'priceMax', parameter: 'priceMax', typed: amountFilter, unit: 1 },
  { field: 'volume24hMin', parameter: 'volumeMin', typed: volumeFilter, unit: BILLION },
  { field: 'volume24hMax', parameter: 'volumeMax', typed: volumeFilter, unit: BILLION },
  { field: 'percentChange24hMin', parameter: 'changeMin', typed: changeFilter, unit: 1 },
  { field: 'percentChange24hMax', parameter: 'changeMax', typed: changeFilter, unit: 1 },
];

/** The filters that are set, as typed. */
export type Filters = Partial<Record<FilterField, string>>;

/** State of the controls of a coin list. */
export interface ListChoice {
  currency: Currency;
  /** Id of a ranking. */
  ranking: number;
  top: Count;
  period: Period;
  filters: Filters;
  /** Column that the rows are sorted by (sort-coins.ts), if it is not the ranking's order. */
  sort?: string | undefined;
}

export const DEFAULT_CHOICE: ListChoice = { currency: 'USD', ranking: 1, top: 100, period: '24h', filters: {} };

const isNumber = (text: string): boolean => text !== '' && Number.isFinite(Number(text));

/** Parses an address' query. Missing or invalid parts get their defaults. */
export function readChoice(search: string): ListChoice {
  const query = new URLSearchParams(search);
  const oneOf = <T extends string | number>(name: string, values: readonly T[], fallback: T): T =>
    values.find((value) => String(value) === query.get(name)) ?? fallback;
  const filters: Filters = {};
  for (const { field, parameter, typed } of FILTERS) {
    const text = query.get(parameter) ?? '';
    if (isNumber(text) && typed(text) === text) filters[field] = text;
  }
  return {
    currency: oneOf('currency', CURRENCIES, DEFAULT_CHOICE.currency),
    ranking: oneOf(
      'ranking',
      RANKINGS.map(({ id }) => id),
      DEFAULT_CHOICE.ranking,
    ),
    top: oneOf('top', COUNTS, DEFAULT_CHOICE.top),
    period: oneOf('period', PERIODS, DEFAULT_CHOICE.period),
    filters,
    sort: /^-?\w{2,8}$/.exec(query.get('sort') ?? '')?.[0],
  };
}

/** Returns the query with part of the choice changed. Omits defaults and keeps other parameters. */
export function changedSearch(search: string, change: Partial<ListChoice>): string {
  const query = new URLSearchParams(search);
  const choice = { ...readChoice(search), ...change };
  for (const name of ['currency', 'ranking', 'top', 'period', 'sort'] as const) {
    query.delete(name);
    if (choice[name] && choice[name] !== DEFAULT_CHOICE[name]) query.set(name, String(choice[name]));
  }
  for (const { field, parameter } of FILTERS) {
    query.delete(parameter);
    const text = choice.filters[field];
    if (text !== undefined) query.set(parameter, text);
  }
  const text = query.toString();
  return text && `?${text}`;
}

/** Converts the filters to the request's numbers, volumes in dollars. */
export const filterRequest = (filters: Filters): Partial<Record<FilterField, number>> =>
  Object.fromEntries(FILTERS.flatMap(({ field, unit }) => (filters[field] === undefined ? [] : [[field, Number(filters[field]) * unit]])));

/** Returns the request for a list. */
export const listRequest = ({ currency, ranking, top, filters }: Omit<ListChoice, 'period'>): MarketListBody => ({
  limit: top,
  convert: currency,
  sortType: ranking,
  ...filterRequest(filters),
});

/** Coins of the list that a device without data asks for first: more than a screen has. */
const FIRST_COINS = 20;

/** Returns the list that a device without data asks for first: the whole one, if a column sorts it. */
export const firstList = <List extends Pick<ListChoice, 'top' | 'sort'>>(list: List): List => ({
  ...list,
  top: list.sort ? list.top : (Math.min(list.top, FIRST_COINS) as Count),
});

/** Begins the key of each list. */
export const LIST_KEYS = 'coins/';

/** Filters of price and market cap compare in the chosen currency. Volumes are always in dollars. */
const dependsOnCurrency = (filters: Filters) => FILTERS.some(({ field }) => filters[field] !== undefined && !field.startsWith('volume'));

/** Returns the key of a list on the device. Answers have both currencies: a currency has a list of its own only if a filter depends on it. */
export function listKey({ currency, ranking, top, filters }: Omit<ListChoice, 'period'>): string {
  const set = FILTERS.flatMap(({ field, parameter }) => (filters[field] === undefined ? [] : [`${parameter}=${filters[field]}`]));
  return [`${LIST_KEYS}${dependsOnCurrency(filters) ? currency : 'USD'}/${ranking}/${top}`, ...set].join('&');
}
