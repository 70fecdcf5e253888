import { expect, it } from 'vitest';
import { askedSpan, askedWhen, dayOfWhen } from '#domain/analyst/reading/asked-time.ts';

const NOW = Date.UTC(2026, 4, 13, 9, 30);
const day = (text: string) => {
  const when = askedWhen(text);
  const time = when && dayOfWhen(when, NOW);
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 10);
};

it.each([
  ['3 weeks ago', '2026-04-22'],
  ['a month ago', '2026-04-13'],
  ['100d ago', '2026-02-02'],
  ['two years ago', '2024-05-13'],
  ['half a year ago', '2025-11-12'],
  ['on christmas', '2025-12-25'],
  ['christmas 2015', '2015-12-25'],
  ["new year's eve", '2025-12-31'],
  ["on new year's day 2024", '2024-01-01'],
  ["valentine's day", '2026-02-14'],
  ['halloween', '2025-10-31'],
  ['yesterday', '2026-05-12'],
  ['last week', '2026-05-06'],
  ['on 2026-04-10', '2026-04-10'],
  ['on march 3', '2026-03-03'],
  ['3rd of march', '2026-03-03'],
  ['on dec 24', '2025-12-24'],
  ['on 1 may 2020', '2020-05-01'],
  ['in january', '2026-01-01'],
  ['in 2017', '2017-01-01'],
  // No such day, or one that has not come.
  ['on february 30', undefined],
  ['on march 99', undefined],
  ['on 2026-13-01', undefined],
  ['in 2099', undefined],
  ['in may i buy', '2026-05-01'],
  ['may i buy', undefined],
  ['sol and btc', undefined],
])('%j names the day %s', (text, expected) => expect(day(text)).toBe(expected));

it.each([
  ['over 90 days', 90],
  ['in the last 6 months', 180],
  ['52 week high', 364],
  ['this year', 365],
  ['weekly', 7],
  ['all-time high', Number.POSITIVE_INFINITY],
  ['sol and btc', undefined],
  ['bitcoin', undefined],
])('%j asks for %s days', (text, expected) => expect(askedSpan(text)).toBe(expected));
