import { describe, expect, it } from 'vitest';
import { amountFilter, changeFilter, decimal, digits, integer, sizeFilter, volumeFilter } from '#domain/format/input-filters.ts';

describe('input filters', () => {
  it.each([
    ['12a3', '123'],
    ['-5', '5'],
    ['', ''],
  ])('digits of %s: %s', (typed, left) => expect(digits(typed)).toBe(left));

  it.each([
    ['1000', '1000'],
    [' $1,000.00 ', '1000'],
    ['500.', '500'],
    ['500,5 USD', '500'],
    ['1.000', '1000'],
    ['-99abc', '99'],
    ['', ''],
    ['12345678901', '123456789'],
  ])('position size of %s: %s', (typed, left) => expect(sizeFilter(typed)).toBe(left));

  it.each([
    ['007', '7'],
    ['0', '0'],
    ['.5', '0.5'],
    ['1.2.3', '1.23'],
    ['00.50', '0.50'],
    ['1,5', '15'],
    ['5.', '5.'],
    ['', ''],
  ])('decimal of %s: %s', (typed, left) => expect(decimal(typed)).toBe(left));

  it.each([
    ['-12', '-12'],
    ['1-2', '12'],
    ['--3', '-3'],
    ['-', '-'],
    ['4.5', '45'],
  ])('integer of %s: %s', (typed, left) => expect(integer(typed)).toBe(left));

  it.each([
    ['1,000.5', '1000.5'],
    ['-3', '3'],
    ['.05', '0.05'],
    ['1e9', '19'],
    ['12345678901234567', '123456789012345'],
    ['', ''],
  ])('the filter by amount makes %j %j', (typed, left) => expect(amountFilter(typed)).toBe(left));

  it.each([
    ['24', '24'],
    ['25', '24'],
    ['240', '24'],
    ['05', '5'],
    ['1.5', '15'],
    ['-3', '3'],
    ['', ''],
  ])('the filter by volume makes %j %j', (typed, left) => expect(volumeFilter(typed)).toBe(left));

  it.each([
    ['-', '-'],
    ['-100', '-100'],
    ['-101', '-100'],
    ['1000', '100'],
    ['007', '7'],
    ['-0', '0'],
    ['12.5', '100'],
    ['5-', '5'],
    ['', ''],
  ])('the filter by change makes %j %j', (typed, left) => expect(changeFilter(typed)).toBe(left));
});
