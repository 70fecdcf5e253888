import * as z from 'zod/mini';
import type { Currency } from '#contract/market/market.ts';
import { atMost } from '#contract/text.ts';
import { FILTERS, type FilterField, type Filters } from '#domain/market/list-address.ts';

interface Range {
  /** The figure and its unit. */
  legend: string;
  /** The allowed range. */
  hint?: string;
  min: FilterField;
  max: FilterField;
}

const SIGN: Record<Currency, string> = { USD: '$', BTC: '₿' };

/** Returns the pairs of fields. Price and market cap use the list's currency, volume always dollars. */
export const filterRanges = (currency: Currency): Range[] => [
  { legend: `Market cap (${SIGN[currency]})`, min: 'marketCapMin', max: 'marketCapMax' },
  { legend: `Price (${SIGN[currency]})`, min: 'priceMin', max: 'priceMax' },
  { legend: 'Volume 24h ($B)', hint: '0 to 24', min: 'volume24hMin', max: 'volume24hMax' },
  { legend: 'Percent change 24h', hint: '-100 to 100', min: 'percentChange24hMin', max: 'percentChange24hMax' },
];

const number = z.string().check(
  atMost(40),
  z.refine((text) => text === '' || Number.isFinite(Number(text)), 'Enter a number'),
);

/** The form of the filter sheet. Every field is optional. */
export const filterForm = z
  .object({
    marketCapMin: number,
    marketCapMax: number,
    priceMin: number,
    priceMax: number,
    volume24hMin: number,
    volume24hMax: number,
    percentChange24hMin: number,
    percentChange24hMax: number,
  })
  .check(
    ...filterRanges('USD').map(({ min, max }) =>
      z.refine<Record<FilterField, string>>((form) => form[min] === '' || form[max] === '' || Number(form[min]) <= Number(form[max]), {
        path: [max],
        error: 'Max is below Min',
      }),
    ),
  );
export type FilterForm = z.infer<typeof filterForm>;

export const formOf = (filters: Filters): FilterForm =>
  Object.fromEntries(FILTERS.map(({ field }) => [field, filters[field] ?? ''])) as FilterForm;

/** Returns the filters that are set. An empty field sets none. */
export const filtersOf = (form: FilterForm): Filters =>
  Object.fromEntries(Object.entries(form).filter(([, text]) => text !== '')) as Filters;
