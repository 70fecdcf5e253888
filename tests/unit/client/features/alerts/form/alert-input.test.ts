import { describe, expect, test } from 'vitest';
import {
  type AlertInput,
  type Facts,
  inputOf,
  localTime,
  priceText,
  readAmount,
  readInput,
} from '#client/features/alerts/form/alert-input.ts';

const NOW = Date.UTC(2026, 10, 25, 12);
const coin = { id: 1, name: 'Bitcoin', symbol: 'BTC' };
const facts: Facts = { coin, price: 100, changes: { '1h': 0.5, '24h': -6, '7d': null }, now: NOW };
const typed = (changes: Partial<AlertInput> = {}): AlertInput => ({
  way: 'above',
  amount: '120',
  period: '24h',
  note: '',
  rearms: false,
  expires: '',
  ...changes,
});
const read = (changes: Partial<AlertInput>, known: Partial<Facts> = {}) => readInput(typed(changes), { ...facts, ...known });
const errorsOf = (changes: Partial<AlertInput>, known: Partial<Facts> = {}) => {
  const result = read(changes, known);
  return 'errors' in result ? result.errors : {};
};

test.each([
  ['61250.50', 61250.5],
  [' $61,250.50 ', 61250.5],
  ['1,234,567', 1_234_567],
  ['.5', 0.5],
  ['5 %', 5],
  ['0.00000001', 1e-8],
])('the amount %j is %d', (text, amount) => {
  expect(readAmount(text)).toBe(amount);
});

test.each(['', ' ', '61.250,50', '61,25', '1,2345', '-5', '1e5', 'abc', '٣', '5.5.5', '9'.repeat(41), '1'.repeat(100_000)])(
  'the text %.20j is no amount',
  (text) => {
    expect(readAmount(text)).toBeUndefined();
  },
);

describe('an alert', () => {
  test('of a price has a trimmed note, and the name of the level that was chosen', () => {
    const levels = [{ name: 'Resistance', price: 120 }];
    expect(read({ note: ' Sell ', rearms: true }, { levels })).toEqual({
      alert: { kind: 'above', coin, price: 120, level_name: 'Resistance', note: 'Sell', rearms: true, expires_at: null, paused: false },
    });
    expect(read({ amount: '121' }, { levels })).toMatchObject({ alert: { level_name: null } });
  });

  test('of a fall has a percentage below zero', () => {
    expect(read({ way: 'falls', amount: '7.5', period: '7d' })).toMatchObject({ alert: { kind: 'percent', percent: -7.5, period: '7d' } });
  });

  test('ends at the time in the device’s zone', () => {
    expect(read({ expires: localTime(NOW + 3_600_000) })).toMatchObject({ alert: { expires_at: '2026-11-25T13:00:00.000Z' } });
  });

  test('shows in the fields as it was typed', () => {
    const input = typed({ way: 'below', amount: '0.00000001', note: 'x', expires: localTime(NOW + 60_000) });
    const result = read(input);
    expect('alert' in result && inputOf(result.alert)).toEqual(input);
    expect(priceText(1e-7)).toBe('0.0000001');
  });
});

describe('a field says what is wrong', () => {
  test.each<[string, Partial<AlertInput>, Partial<Record<keyof AlertInput, string>>]>([
    ['no price', { amount: '' }, { amount: 'Enter a price in USD, such as 61250.50' }],
    ['a price of zero', { amount: '0' }, { amount: 'Enter a price above 0 and at most 1 trillion USD' }],
    ['a price that is too high', { amount: '1000000000001' }, { amount: 'Enter a price above 0 and at most 1 trillion USD' }],
    ['a price that is passed', { amount: '100' }, { amount: 'The price is already $100.00. Enter a higher price, or choose Below' }],
    [
      'a price that is passed',
      { way: 'below', amount: '101' },
      { amount: 'The price is already $100.00. Enter a lower price, or choose Above' },
    ],
    ['a small change', { way: 'rises', amount: '0.5' }, { amount: 'Enter a change from 1% to 1000%' }],
    ['a fall of everything', { way: 'falls', amount: '100' }, { amount: 'Enter a change from 1% to 99%' }],
    ['a change that happened', { way: 'falls', amount: '5' }, { amount: 'The change in 24h is already -6.00%. Enter a larger one' }],
    ['a long note', { note: 'x'.repeat(201) }, { note: 'Shorten the note to 200 characters. It has 201' }],
    ['a note of two lines', { note: 'a\nb' }, { note: "Notes can't contain line breaks" }],
    ['a time in the past', { expires: localTime(NOW - 60_000) }, { expires: 'Choose a time in the future' }],
    ['no time', { expires: 'soon' }, { expires: 'Enter a day and a time' }],
  ])('%s', (_, changes, errors) => {
    expect(errorsOf(changes)).toEqual(errors);
  });

  test('but not about a level when the price is unknown, or the alert keeps the one it had', () => {
    expect(errorsOf({ amount: '90' }, { price: null })).toEqual({});
    const before = { kind: 'above', coin, price: 90, level_name: null, note: '', rearms: false, expires_at: null, paused: false } as const;
    expect(errorsOf({ amount: '90', note: 'new' }, { before })).toEqual({});
    expect(errorsOf({ amount: '91' }, { before })).toHaveProperty('amount');
  });
});
