import { describe, expect, it } from 'vitest';
import type { FigureUnit } from '#contract/chat/answer-figures.ts';
import { takeFigures } from '#domain/analyst/answers/told.ts';
import { inventedFigures, tieFigures } from '#server/ports/analyst/openai/figures.ts';
import type { ToolFigure } from '#server/ports/analyst/openai/tools.ts';

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

describe('ties of figures to what tools told', () => {
  const figure = (names: readonly string[], label: string, value: number, unit: FigureUnit): ToolFigure => ({
    names,
    told: { label: `${label} of ${names[0]}`, value, unit },
  });
  const bitcoin = ['Bitcoin', 'BTC'];
  const known = [
    figure(bitcoin, 'Price', 97_123.456, 'USD'),
    figure(bitcoin, 'Change', -1.3149, 'percent'),
    figure(bitcoin, 'Market cap', 1.925e12, 'USD'),
  ];
  const other = [figure(['Tether', 'USDT'], 'Price', 1, 'USD'), figure(['USDC', 'USDC'], 'Price', 1, 'USD')];
  const tied = (answer: string, told: readonly ToolFigure[] = known) => {
    const { text, figures } = takeFigures(tieFigures(answer, told), { name: 'source', asOf: '' });
    expect(text).toBe(answer);
    return figures.list.map(({ at, length, label }) => `${text.slice(at, at + length)}: ${label}`);
  };

  it('finds rounded amounts and percentages', () => {
    expect(tied('About $97k, down 1.31%, a cap of 1.93 trillion dollars.')).toEqual([
      '$97k: Price of Bitcoin',
      '1.31%: Change of Bitcoin',
      '1.93 trillion dollars: Market cap of Bitcoin',
    ]);
  });

  it('leaves figures of the question, of another unit and of another currency as text', () => {
    expect(tied('With $500 and 97,123.46%, or €97,123.46, or 1.31 BTC.')).toEqual([]);
  });

  it('knows coins with the same figures apart by the name in the line', () => {
    expect(tied('| Tether | $1.00 |\n| USDC | $1.00 |', [...known, ...other])).toEqual(['$1.00: Price of Tether', '$1.00: Price of USDC']);
    expect(tied('Both are at $1.00.', other)).toEqual([]);
    expect(tied('A tethered boat costs $1.00.', other)).toEqual([]);
  });

  it('leaves a claim that fits two figures equally well as text', () => {
    expect(tied('It moved 5%.', [figure(bitcoin, 'Day', 5, 'percent'), figure(bitcoin, 'Week', -5, 'percent')])).toEqual([]);
  });

  it('ends at 150 figures', () => {
    expect(tied('It is at $97,123.46. '.repeat(400))).toHaveLength(150);
  });
});
