import { expect, it } from 'vitest';
import { convert, isAmount } from '#domain/market/convert.ts';

it.each([
  ['1', 'times', 82_989.8, '82989.8'],
  ['0.1', 'times', 3, '0.3'],
  ['.5', 'times', 3, '1.5'],
  ['250k', 'times', 2, '500000'],
  [' 1.5B ', 'by', 100, '15000000'],
  ['100', 'by', 82_989.8, '0.0012049674'],
  ['1', 'times', 0.00001234, '0.00001234'],
  ['1', 'by', 0.00001234, '81037.277'],
  ['1', 'times', 1e-25, '0'],
  ['3', 'by', 3, '1'],
  ['0', 'times', 5, '0'],
  ['0.', 'times', 5, '0'],
  ['1000000000', 'times', 1, '1000000000'],
  ['999999999999999', 'times', 1e9, ''],
] as const)('converts %s %s %s to "%s"', (typed, way, price, expected) => expect(convert(typed, way, price)).toBe(expected));

it.each([undefined, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])('has no result at the price %s', (price) =>
  expect(convert('1', 'times', price)).toBe(''),
);

it.each(['', '.', 'x', '1e309', '=1+1', '-5', '--5', '1,000.5', '1.2.3', '٣', '<b>', '9'.repeat(100_000), '0.0000000000000000001'])(
  'takes %.20s for no amount',
  (typed) => {
    expect(isAmount(typed)).toBe(false);
    for (const way of ['times', 'by'] as const) expect(convert(typed, way, 82_989.8)).toBe('');
  },
);
