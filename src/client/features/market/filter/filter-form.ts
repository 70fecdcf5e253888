import * as z from 'zod/mini';
import type { Currency } from '#contract/market/market.ts';
import { atMost } from '#contract/text.ts';
import { amountInput, expandAmount, shortAmount } from '#domain/format/amount-input.ts';
import { FILTERS, type FilterField, type Filters } from '#domain/market/list-address.ts';

interface Range {
  /** The figure and its unit. */
  legend: string;
  /** The allowed range, or examples. */
  hint: string;
  min: FilterField;
  max: FilterField;
}

const SIGN: Record<Currency, string> = { USD: '$', BTC: '₿' };

/** Returns the pairs of fields. Price and market cap use the list's currency, volume always dollars. */
export const filterRanges = (currency: Currency): Range[] => [
  { legend: `Market cap (${SIGN[currency]})`, hint: 'such as 250k or 1B', min: 'marketCapMin', max: 'marketCapMax' },
  { legend: `Price (${SIGN[currency]})`, hint: 'such as 0.5 or 10k', min: 'priceMin', max: 'priceMax' },
  { legend: 'Volume 24h ($B)', hint: '0 to 24', min: 'volume24hMin', max: 'volume24hMax' },
  { legend: 'Percent change 24h', hint: '-100 to 100', min: 'percentChange24hMin', max: 'percentChange24hMax' },
];

/** Fields of amounts take units (`1B`); the filters have plain digits. */
const takesUnit = (field: FilterField): boolean => /^(?:marketCap|price)/.test(field);

/** Keeps the characters that a field allows. */
export function typedFilter(field: FilterField, text: string): string {
  if (takesUnit(field)) return amountInput(text);
  return FILTERS.find((filter) => filter.field === field)?.typed(text) ?? text;
}

const number = z.string().check(
  atMost(40),
  z.refine((text) => text === '' || Number.isFinite(Number(text)), 'Enter a number'),
);
const amount = z.string().check(
  atMost(40),
  z.refine((text) => text === '' || expandAmount(text) !== undefined, 'Enter an amount below 1000T'),
);

/** The form of the filter sheet. Every field is optional. */
export const filterForm = z
  .object({
    marketCapMin: amount,
    marketCapMax: amount,
    priceMin: amount,
    priceMax: amount,
    volume24hMin: number,
    volume24hMax: number,
    percentChange24hMin: number,
    percentChange24hMax: number,
  })
  .check(
    ...filterRanges('USD').map(({ min, max }) =>
      z.refine<Record<FilterField, string>>(
        (form) => form[min] === '' || form[max] === '' || numberOf(min, form[min]) <= numberOf(max, form[max]),
        { path: [max], error: 'Max is below Min' },
      ),
    ),
  );
export type FilterForm = z.infer<typeof filterForm>;

const numberOf = (field: FilterField, text: string): number => Number(takesUnit(field) ? expandAmount(text) : text);

/** Returns the form that shows the filters: 1000000000 as `1B`. */
export const formOf = (filters: Filters): FilterForm =>
  Object.fromEntries(
    FILTERS.map(({ field }) => {
      const text = filters[field] ?? '';
      return [field, text && takesUnit(field) ? shortAmount(text) : text];
    }),
  ) as FilterForm;

/** Returns the filters that are set, in plain digits. An empty field sets none. */
export const filtersOf = (form: FilterForm): Filters =>
  Object.fromEntries(
    FILTERS.flatMap(({ field }) => {
      const text = takesUnit(field) ? expandAmount(form[field]) : form[field];
      return text ? [[field, text]] : [];
    }),
  );
