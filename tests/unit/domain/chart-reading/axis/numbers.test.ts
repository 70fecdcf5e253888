import { expect, it } from 'vitest';
import { numberIn } from '#domain/chart-reading/axis/numbers.ts';

it.each([
  ['96000', '.', 96_000],
  ['96,400', '.', 96_400],
  ['1,234.56', '.', 1234.56],
  ['1.234,56', ',', 1234.56],
  ['$1,234,567.5', '.', 1_234_567.5],
  ['0.00001234', '.', 0.00001234],
  ['0,0125', ',', 0.0125],
  ['96K', '.', 96_000],
  ['96.5k', '.', 96_500],
  ['1.250', '.', 1.25],
  ['1.250', ',', 1250],
  ['0', '.', 0],
] as const)('reads %s with %s before the fraction', (text, mark, value) => {
  const { units, exponent } = numberIn(text, mark) ?? { units: Number.NaN, exponent: 0 };
  expect(Number(`${units}e${exponent}`)).toBe(value);
});

it.each(['', '.', '.5', '5.', '007', '1,23', '12,34.5', '1.2.3', '96 400', '5%', '1e6', 'K', '96KK', '12M', '-5', '1234567890.123456'])(
  'takes no number from %s',
  (text) => {
    expect(numberIn(text, '.')).toBeUndefined();
  },
);

it('reads a number in one of two styles by the separator', () => {
  expect(numberIn('1.234,56', '.')).toBeUndefined();
  expect(numberIn('1,234.56', ',')).toBeUndefined();
  expect(numberIn('0.950', ',')).toBeUndefined();
});
