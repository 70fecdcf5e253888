import { expect, test } from 'vitest';
import { COUNTRIES } from '#domain/countries.ts';

test('every country has a name and occurs once', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(COUNTRIES.filter((code) => !names.of(code.toUpperCase()))).toEqual([]);
  expect(new Set(COUNTRIES).size).toBe(COUNTRIES.length);
  expect(COUNTRIES).toHaveLength(250);
});
