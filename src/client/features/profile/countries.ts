import { COUNTRIES } from '#domain/countries.ts';
import { fold } from '#domain/text.ts';

const names = new Intl.DisplayNames('en', { type: 'region' });

/** All countries, sorted by name. */
export const COUNTRY_OPTIONS = COUNTRIES.map((code) => ({ value: code, label: names.of(code.toUpperCase()) ?? code })).sort((one, other) =>
  one.label.localeCompare(other.label, 'en'),
);

/** Returns whether a country's name contains the query, whatever its case and accents. */
export const matchesCountry = (name: string, query: string): boolean => fold(name).includes(fold(query.trim()));
