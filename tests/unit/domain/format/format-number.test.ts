import { describe, expect, it } from 'vitest';
import {
  direction,
  formatBtc,
  formatCompact,
  formatFixed,
  formatPercent,
  formatSignedPercent,
  formatSymbol,
  formatUsd,
} from '#domain/format/format-number.ts';
import { createRandom } from '#domain/random.ts';

describe('USD prices', () => {
  it.each([
    [0, '$0.00'],
    [0.01, '$0.01'],
    [0.0199, '$0.01'],
    [0.00001234, '$0.00001234'],
    [0.000012345678, '$0.00001235'],
    [0.009999, '$0.009999'],
    [0.999, '$0.99'],
    [1.005, '$1.00'],
    [1.13, '$1.13'],
    [8.2, '$8.20'],
    [999.99, '$999.99'],
    [999.999, '$999.99'],
    [0.29, '$0.29'],
    [999.995, '$999.99'],
    [1e3, '$1,000.00'],
    [9_999.999, '$9,999.99'],
    [1e4, '$10,000.00'],
    [1e5, '$100,000.00'],
    [1e6, '$1,000,000.00'],
    [1e7, '$10,000,000.00'],
    [1e8, '$100,000,000.00'],
    [123_456_789.987, '$123,456,789.98'],
    [1e9, '$1,000,000,000.00'],
    [1e10, '$10,000,000,000.00'],
    [1e11, '$100,000,000,000.00'],
    [1e12, '$1,000,000,000,000.00'],
    [2 ** 53 - 1, '$9,007,199,254,740,991.00'],
    [1e21, '$1,000,000,000,000,000,000,000.00'],
    [-0, '$0.00'],
    [-0.999, '-$0.99'],
    [-1.005, '-$1.00'],
    [-999.99, '-$999.99'],
    [-1e13, '-$10,000,000,000,000.00'],
    [98633.76114680439, '$98,633.76'],
    [1e13, '$10,000,000,000,000.00'],
    [-1.239, '-$1.23'],
    [-0.00001234, '-$0.00001234'],
    [1e-12, '$0.000000000001'],
  ])('%d is %s', (price, text) => expect(formatUsd(price)).toBe(text));

  it('shows every whole cent exactly, despite binary fractions', () => {
    for (let cents = 1; cents < 1_000_000; cents += 7) {
      const text = formatUsd(cents / 100).replace(/[$,]/g, '');
      if (text !== (cents / 100).toFixed(2)) expect(text).toBe((cents / 100).toFixed(2));
    }
  });

  it.each([[null], [undefined], [Number.NaN], [Number.POSITIVE_INFINITY]])('%s is a dash', (price) => expect(formatUsd(price)).toBe('–'));
});

describe('BTC prices', () => {
  it.each([
    [1, '₿1'],
    [0, '₿0'],
    [21000000, '₿21,000,000'],
    [0.0245, '₿0.024500'],
    [1.5, '₿1.500000'],
    [0.01, '₿0.010000'],
    [0.00001234, '₿0.000012'],
    [0.999, '₿0.999000'],
    [1.005, '₿1.005000'],
    [999.99, '₿999.990000'],
    [0.000001, '₿0.000001'],
    [1e3, '₿1,000'],
    [1e13, '₿10,000,000,000,000'],
    [-0, '₿0'],
    [-2, '-₿2'],
    [-0.5, '-₿0.500000'],
  ])('%d is %s', (price, text) => expect(formatBtc(price)).toBe(text));

  it('shows a price that six decimals would round to nothing', () => expect(formatBtc(0.000000123)).toBe('₿0.000000123'));
  it('shows a dash for an unknown price', () => expect(formatBtc(null)).toBe('–'));
});

describe('numbers are formatted as Intl does', () => {
  const intl = (options: Intl.NumberFormatOptions) => (value: number) => new Intl.NumberFormat('en-US', options).format(value);
  const exact = intl({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const six = intl({ minimumFractionDigits: 6, maximumFractionDigits: 6 });
  const four = intl({ maximumSignificantDigits: 4 });
  const random = createRandom(7);
  const sizes = Array.from({ length: 4_000 }, () => 10 ** (random() * 60 - 30) * (1 + random()));

  it.each([
    0,
    -0.001,
    0.005,
    1.005,
    2.675,
    999.995,
    1_000,
    -1_234.5,
    1e20,
    999_999_999_999_999_900_000,
    1e21,
    -1.5e22,
    1.7e308,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
  ])('with two decimals: %f', (value) => expect(formatFixed(value, 2)).toBe(exact(value)));

  it('with fixed decimals, whatever their size', () => {
    for (const value of sizes) {
      expect(formatFixed(value, 2)).toBe(exact(value));
      expect(formatFixed(-value, 6)).toBe(six(-value));
    }
  });

  it('with four significant digits below one cent', () => {
    for (const value of [...sizes, 5e-324, 0.00123449999, 0.000001, 9.9999e-7].filter((value) => value < 0.01)) {
      expect(formatUsd(value)).toBe(`$${four(value)}`);
    }
  });

  it('with at most two decimals below a thousand', () => {
    const plain = intl({ maximumFractionDigits: 2 });
    for (const value of sizes.filter((value) => value < 999.99)) expect(formatCompact(value)).toBe(plain(value));
  });
});

describe('compact figures', () => {
  it.each([
    [0, '0'],
    [999.99, '999.99'],
    [999.996, '1.0K'],
    [0.00001234, '0'],
    [-0.00001234, '0'],
    [0.01, '0.01'],
    [0.999, '1'],
    [1e3, '1.0K'],
    [1e4, '10.0K'],
    [1e5, '100.0K'],
    [999_949, '999.9K'],
    [999_950, '1.0M'],
    [1e6, '1.0M'],
    [1e7, '10.0M'],
    [1e8, '100.0M'],
    [1e9, '1.0B'],
    [1e10, '10.0B'],
    [1e11, '100.0B'],
    [1e12, '1.0T'],
    [31_959_899_375, '32.0B'],
    [1_955_629_139_067, '2.0T'],
    [1e13, '10.0T'],
    [-2_500_000, '-2.5M'],
  ])('%d is %s', (value, text) => expect(formatCompact(value)).toBe(text));

  it('shows a dash for an unknown figure', () => expect(formatCompact(null)).toBe('–'));
});

describe('percentages', () => {
  it('has two decimals and leaves the sign to its arrow', () => {
    expect(formatPercent(-1.305)).toBe('1.30%');
    expect(formatPercent(0)).toBe('0.00%');
    expect(formatPercent(null)).toBe('–');
  });

  it('carries its sign in running text', () => {
    expect(formatSignedPercent(1.3)).toBe('+1.30%');
    expect(formatSignedPercent(-0.4)).toBe('-0.40%');
    expect(formatSignedPercent(0)).toBe('0.00%');
    expect(formatSignedPercent(null)).toBe('–');
  });
});

it('cuts a symbol after six visible characters', () => {
  expect(formatSymbol('BTC')).toBe('BTC');
  expect(formatSymbol('VIRTUAL')).toBe('VIRTUA');
  expect(formatSymbol('🐸🐸🐸🐸🐸🐸🐸')).toBe('🐸🐸🐸🐸🐸🐸');
});

it('distinguishes up, down and zero', () => {
  expect([0.1, -0.1, 0, null, undefined].map(direction)).toEqual(['up', 'down', 'flat', 'flat', 'flat']);
  expect([0.006, 0.004, -0.004].map(direction)).toEqual(['up', 'flat', 'flat']); // what reads 0.00% has no arrow
});
