import { describe, expect, it } from 'vitest';
import { inventedFigures } from '#server/ports/analyst/openai/figures.ts';

const sources = [
  '{"price":97123.456,"market_cap":1925123456789,"percent_change_24h":-1.3149,"btc":{"price":0.0281234}}',
  'and what of 2 ETH?',
];

describe('figures of an answer', () => {
  it.each([
    'Bitcoin is at $97,123.45.',
    'Bitcoin is at $97,123, a cap of $1.93T.',
    'About $97k, down 1.31%.',
    'A cap of 1.9 trillion dollars and ₿0.028123.',
    'RSI looks at 14 periods.',
    'The price is 97,123.46 USD.',
    'Nothing: 0%.',
  ])('%s is supported by the sources', (answer) => {
    expect(inventedFigures(answer, sources)).toEqual([]);
  });

  it.each([
    ['Bitcoin is at $98,500.', ['$98,500']],
    ['It rises 12.5% and then 20 percent.', ['12.5%', '20 percent']],
    ['A cap of $2.4T.', ['$2.4T']],
    ['Sell at 120,000 USD.', ['120,000 USD']],
    ['₿0.5 each.', ['₿0.5']],
  ])('%s is not supported', (answer, invented) => {
    expect(inventedFigures(answer, sources)).toEqual(invented);
  });
});
