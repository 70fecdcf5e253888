import { describe, expect, it } from 'vitest';
import { amountInput, expandAmount, shortAmount } from '#domain/format/amount-input.ts';

describe('amountInput', () => {
  it.each([
    ['1B', '1B'],
    ['250k', '250k'],
    ['$1.5 b', '1.5b'],
    ['5k5', '5k'],
    ['k5', '5'],
    ['-1.2.3M', '1.23M'],
    ['1e9', '19'],
    ['abc', ''],
    ['1'.repeat(100_000), '1'.repeat(15)],
  ])('makes %j %j', (text, expected) => expect(amountInput(text)).toBe(expected));
});

describe('expandAmount', () => {
  it.each([
    ['1B', '1000000000'],
    ['250k', '250000'],
    ['1.5T', '1500000000000'],
    ['0.00001K', '0.01'],
    ['1.1234567m', '1123456.7'],
    ['0.0000001', '0.0000001'],
    ['5.', '5'],
    ['5.B', '5000000000'],
    ['999T', '999000000000000'],
    ['1000T', undefined],
    ['', undefined],
    ['B', undefined],
    ['1BB', undefined],
    ['1'.repeat(100_000), undefined],
  ])('%j is %j', (text, expected) => expect(expandAmount(text)).toBe(expected));
});

describe('shortAmount', () => {
  it.each([
    ['1000000000', '1B'],
    ['1500000000', '1.5B'],
    ['250000', '250K'],
    ['999', '999'],
    ['1234567', '1234567'],
    ['0.5', '0.5'],
    ['123456.7', '123456.7'],
  ])('shows %j as %j', (text, expected) => expect(shortAmount(text)).toBe(expected));
});
