import { COUNTRIES } from '#domain/countries.ts';

const names = new Intl.DisplayNames('en', { type: 'region' });

/** Every country by its name, in the order of names. */
export const COUNTRY_OPTIONS = COUNTRIES.map((code) => ({ value: code, label: names.of(code.toUpperCase()) ?? code })).sort((one, other) =>
  one.label.localeCompare(other.label, 'en'),
);
