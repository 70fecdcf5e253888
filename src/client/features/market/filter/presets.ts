import type { Currency } from '#contract/market/market.ts';
import { FILTERS } from '#domain/market/list-address.ts';
import type { FilterForm } from './filter-form.ts';

/** One tap that fills a range of the filter form. */
export interface Preset {
  label: string;
  set: Partial<FilterForm>;
}

/** Bounds of large and small caps in each currency. */
const CAPS: Record<Currency, { large: string; small: string; sign: string }> = {
  USD: { large: '10B', small: '1B', sign: '$' },
  BTC: { large: '100K', small: '10K', sign: '₿' },
};

/** Returns the presets of a list in this currency. */
export function presetsOf(currency: Currency): Preset[] {
  const { large, small, sign } = CAPS[currency];
  return [
    { label: `Large cap: over ${sign}${large}`, set: { marketCapMin: large, marketCapMax: '' } },
    { label: `Mid cap: ${sign}${small} to ${sign}${large}`, set: { marketCapMin: small, marketCapMax: large } },
    { label: `Small cap: under ${sign}${small}`, set: { marketCapMin: '', marketCapMax: small } },
    { label: 'Volume over $1B', set: { volume24hMin: '1', volume24hMax: '' } },
    { label: 'Up 5% or more', set: { percentChange24hMin: '5', percentChange24hMax: '' } },
    { label: 'Down 5% or more', set: { percentChange24hMin: '', percentChange24hMax: '-5' } },
  ];
}

/** Returns whether the form has exactly what the preset sets in its range. */
export const isSet = ({ set }: Preset, form: FilterForm): boolean =>
  Object.entries(set).every(([field, text]) => form[field as keyof FilterForm].toUpperCase() === text);

/** Returns the fields after a tap on the preset: filled, or empty if it was set. */
export function toggled(preset: Preset, form: FilterForm): [keyof FilterForm, string][] {
  const clears = isSet(preset, form);
  return FILTERS.flatMap(({ field }) => {
    const text = preset.set[field];
    return text === undefined ? [] : [[field, clears ? '' : text] as [keyof FilterForm, string]];
  });
}
