import { expect, it } from 'vitest';
import { withoutTypos } from '#domain/analyst/reading/typos.ts';

it.each([
  ['pirce of bitcoin', 'price of bitcoin'],
  ['suport and resistence', 'support and resistance'],
  ['top gainners and loosers', 'top gainers and losers'],
  ['volatilty', 'volatility'],
  ['corelation', 'correlation'],
  // Words of their own.
  ['the prince of charges', 'the prince of charges'],
  ['markets and gamers', 'markets and gamers'],
  ['prices', 'prices'],
  ['vol', 'vol'],
])('%j is read as %j', (text, read) => expect(withoutTypos(text, [])).toBe(read));

it('keeps the names of coins', () => expect(withoutTypos('fundin price', ['fundin'])).toBe('fundin price'));

it('looks at 60 words at most', () => {
  const many = `${'words '.repeat(60)}pirce`;
  expect(withoutTypos(many, [])).toBe(many);
});
