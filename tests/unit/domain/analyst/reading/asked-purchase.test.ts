import { expect, it } from 'vitest';
import { askedPurchase } from '#domain/analyst/reading/asked-purchase.ts';

it.each([
  ['bought 2 eth at $1,500', { at: 1500 }],
  ['bought 0.5 btc at 42k', { at: 42_000 }],
  ['my entry was 0.5', { at: 0.5 }],
  ['my entry on xrp was 0.5', { at: 0.5 }],
  ['my average price for link is $12', { at: 12 }],
  ['my entry on 3 march was good', {}],
  ['bought 2 eth for $3000', { spent: 3000 }],
  ['invested 500 usd in sol 3 months ago', { spent: 500 }],
  ['i put $1,000 in bitcoin at 42k', { at: 42_000, spent: 1000 }],
  ['bought btc at 3 pm', {}],
  ['bought eth at 5%', {}],
  ['bought some eth', {}],
])('%j says of the purchase %j', (text, expected) => expect(askedPurchase(text)).toEqual(expected));
