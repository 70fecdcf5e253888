import { describe, expect, it } from 'vitest';
import { answerQuestion, titleOfQuestion } from '#domain/analyst/answer-question.ts';
import { findCurrentFigure } from '#domain/analyst/current-figure.ts';
import type { NoPerpetual, Perpetual } from '#domain/analyst/figures.ts';
import { marketFigures } from '#server/ports/analyst/market-figures.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { perpetualOf } from '#tests/support/market/perpetual.ts';

const market = stillMarket();
const figuresOf = (perpetual: Perpetual | NoPerpetual) => ({ ...marketFigures(market), perpetual: async () => perpetual });
const ask = async (question: string, perpetual: Perpetual | NoPerpetual, earlier: string[] = []) =>
  (await answerQuestion(question, earlier, figuresOf(perpetual))).text;

describe('funding and open interest', () => {
  it('have their source, time and unit, and a current figure to compare with', async () => {
    const figures = figuresOf(perpetualOf());
    const { text, figures: found } = await answerQuestion('btc funding', [], figures);
    const [rate, usd, coins] = found.list;
    expect([rate?.label, usd?.label, coins?.label]).toEqual([
      'Funding rate of Bitcoin (BTC)',
      'Open interest of Bitcoin (BTC)',
      'Open interest of Bitcoin (BTC), in coins',
    ]);
    expect(rate).toMatchObject({ value: 0.01, unit: 'percent', now: { metric: 'funding_rate', coin: 1, times: 100 } });
    expect(text.slice(usd?.at, (usd?.at ?? 0) + (usd?.length ?? 0))).toBe('$5.2B');
    expect(found.sources).toEqual([{ tool: 'quotes', name: 'Bybit BTCUSDT perpetual', asOf: '2026-05-13T09:30:00.000Z' }]);
    expect((await findCurrentFigure(rate?.now ?? { metric: 'price' }, figures)).value).toBeCloseTo(0.01);
    expect((await findCurrentFigure(usd?.now ?? { metric: 'price' }, figures)).value).toBe(5_170_000_000);
    for (const metric of ['funding_rate', 'open_interest'] as const)
      expect((await findCurrentFigure({ metric, coin: 1 }, figuresOf('away'))).value).toBeNull();
  });

  it.each([
    [0.0001, "**0.0100%** of a position's value, longs pay shorts"],
    [-0.00075, "**-0.0750%** of a position's value, shorts pay longs"],
    [0, "**0.0000%** of a position's value, no one pays"],
  ])('say who pays at a rate of %d', async (fundingRate, said) =>
    expect(await ask('btc funding', perpetualOf({ fundingRate }))).toContain(said),
  );

  it.each([
    ['offline', 'need a connection'],
    ['away', 'the exchange does not answer'],
    ['none', 'the exchange on which bots trade here gives none'],
  ] as const)('are missing where %s', async (reason, said) => {
    expect(await ask('open interest of bitcoin', reason)).toContain(said);
  });

  it('belong to the coin of the question before, or to BTC', async () => {
    expect(await ask('and its funding?', perpetualOf(), ['bitcoin price'])).toContain('Funding rate: **0.0100%**');
    expect(await ask('current funding rate', perpetualOf())).toContain('**Bitcoin (BTC)**');
    expect(await ask('and of eth?', 'none', ['funding of btc'])).toContain('I have no funding rate or open interest of Ethereum (ETH)');
  });

  it('are explained where the question asks for the meaning', async () => {
    expect(await ask('what is open interest', perpetualOf())).toContain('**Open interest.** The worth of all futures positions');
    expect(await ask('how does funding work', perpetualOf())).toContain('**Funding rate.**');
  });

  it('name the conversation', () => expect(titleOfQuestion('btc funding', market.known())).toBe('Bitcoin funding'));
});
