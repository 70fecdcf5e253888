import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { alertForm } from '#contract/alerts/alert-form.ts';
import { action, choices as choicesSchema } from '#contract/chat/offers.ts';
import { answerQuestion } from '#domain/analyst/answer-question.ts';
import { marketFigures } from '#server/ports/analyst/market-figures.ts';
import { stillMarket } from '#tests/support/market/market.ts';

const market = stillMarket();
const figures = marketFigures(market);
const ask = (...turns: string[]) => answerQuestion(turns.at(-1) ?? '', turns.slice(0, -1), figures);
const { coins } = await market.snapshot();
const bitcoin = coins.find(({ id }) => id === 1);

const corpus: string[][] = readFileSync(new URL('../../../../analyst/questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).turns);

describe('an answer', () => {
  it('offers only what the contract allows, to every question of the corpus', async () => {
    for (const turns of corpus) {
      const answer = await ask(...turns);
      expect(choicesSchema.safeParse(answer.choices).success, turns.join(' / ')).toBe(true);
      if (answer.action) expect(action.safeParse(answer.action).error, turns.join(' / ')).toBeUndefined();
      if (answer.action?.kind === 'alert') expect(alertForm.safeParse(answer.action.alert).error, turns.join(' / ')).toBeUndefined();
      for (const choice of answer.choices) expect(answer.text).toContain(`- ${choice}`);
    }
  });

  it('asks back only questions that it answers, or asks back at most once more', async () => {
    const asked = new Set<string>();
    for (const turns of corpus) for (const choice of (await ask(...turns)).choices) asked.add(choice);
    expect(asked.size).toBeGreaterThan(5);
    for (const choice of asked) {
      const { isPartial, choices } = await ask(choice);
      expect(isPartial, choice).toBe(false);
      for (const next of choices) expect((await ask(next)).choices, `${choice} / ${next}`).toEqual([]);
    }
  });
});

describe('an unsure question', () => {
  it('asks what to tell about a coin, or about several', async () => {
    expect((await ask('who founded cardano')).choices).toEqual([
      'Cardano price',
      'Cardano support and resistance',
      'How volatile is Cardano?',
    ]);
    expect((await ask('who founded cardano and solana')).choices[0]).toBe('Compare Cardano and Solana');
  });

  it.each(['how is solana doing', 'tell me abuot solana', 'solana', 'what is going on with solana', 'give me info on solana please'])(
    'is not "%s"',
    async (question) => expect((await ask(question)).choices).toEqual([]),
  );

  it('offers the figure that it names of the coins before, then of the largest', async () => {
    expect((await ask('how much')).choices[0]).toBe('Bitcoin price');
    expect((await ask('set an alert for bitcoin', 'and now set an alert at 5')).choices[0]).toBe('Alert me when Bitcoin reaches $5');
  });
});

describe('an alert', () => {
  const offered = async (...turns: string[]) => {
    const { action: it } = await ask(...turns);
    return it?.kind === 'alert' ? it.alert : undefined;
  };

  it.each([
    ['set an alert at 200k for btc', { kind: 'above', price: 200_000 }],
    ['set an alert at 20k for btc', { kind: 'below', price: 20_000 }],
    ['alert me when bitcoin drops to $61,250.50', { kind: 'below', price: 61_250.5 }],
    ['can you alert me when bitcoin is over 1 million', { kind: 'above', price: 1_000_000 }],
    ['when btc drops 5 % in a day tell me', { kind: 'percent', percent: -5, period: '24h' }],
    ['notify me if bitcoin gains 12.5 percent this week', { kind: 'percent', percent: 12.5, period: '7d' }],
  ])('is offered for "%s"', async (question, rule) => {
    expect(await offered(question)).toEqual({
      ...rule,
      coin: { id: 1, name: 'Bitcoin', symbol: 'BTC' },
      ...(rule.kind === 'percent' ? {} : { level_name: null }),
      note: '',
      rearms: false,
      expires_at: null,
      paused: false,
    });
  });

  it('asks back a coin, a direction, a period, a level and a number that can be read in two ways', async () => {
    expect((await ask('set an alert at 70k')).choices[0]).toBe('Alert me when Bitcoin reaches $70,000');
    expect((await ask('alert me when btc and eth rise 5% in a day')).choices).toEqual([
      'Alert me when Bitcoin rises 5% in 24 hours',
      'Alert me when Ethereum rises 5% in 24 hours',
    ]);
    expect((await ask('alert me if bitcoin moves 5%')).choices).toEqual([
      'Alert me when Bitcoin rises 5% in 24 hours',
      'Alert me when Bitcoin falls 5% in 24 hours',
    ]);
    expect((await ask('alert me if bitcoin rises 5% in a month')).choices).toHaveLength(3);
    expect((await ask('set an alert for bitcoin')).choices).toHaveLength(2);
    expect((await ask('set an alert for btc at 90.000')).choices[0]).toBe('Alert me when Bitcoin reaches $90,000');
    expect(await offered(`set an alert for btc at ${bitcoin?.quote.USD.price}`)).toBeUndefined();
  });

  it.each([
    'alert me if bitcoin falls 100%',
    'alert me if bitcoin rises 0.5% in a day',
    `set an alert for btc above ${'9'.repeat(15)}`,
    'set an alert for btc at 0',
    'how do price alerts work for btc',
    'tell me when to buy btc',
    'remind me when the weather is good',
    'are there alerts for bitcoin',
  ])('is not offered for "%s"', async (question) => expect(await offered(question)).toBeUndefined());

  it('says that the price is past the level', async () => {
    expect((await ask('alert me when bitcoin is above $1')).text).toContain('waits until it comes back');
  });

  it('watches the whole watchlist', async () => {
    expect(await offered('warn me if my watchlist drops 10% in an hour')).toMatchObject({ coin: null, percent: -10, period: '1h' });
  });
});

describe('a change of the watchlist', () => {
  it('is offered with the coins that the question names or points to', async () => {
    const offered = async (...turns: string[]) => {
      const { action: it } = await ask(...turns);
      return it?.kind === 'watch' && { watched: it.watched, coins: it.coins.map(({ symbol }) => symbol) };
    };
    expect(await offered('add solana and ada to my watchlist')).toEqual({ watched: true, coins: ['SOL', 'ADA'] });
    expect(await offered('remove ada from the watch list')).toEqual({ watched: false, coins: ['ADA'] });
    expect(await offered('solana', 'add it and btc to my watchlist')).toEqual({ watched: true, coins: ['SOL', 'BTC'] });
    expect(await offered('solana', 'add to my watchlist')).toBe(false);
    expect(await offered('watch out for scams')).toBe(false);
    expect(await offered('add frobcoin to my watchlist')).toBe(false);
  });

  it('asks which of the coins with one symbol is meant', async () => {
    const names = [
      ...(await figures.names()),
      { id: 900, name: 'Foo Chain', symbol: 'FOO', rank: 900 },
      { id: 901, name: 'Foo Money', symbol: 'FOO', rank: 901 },
    ];
    const shared = {
      ...figures,
      names: async () => names,
      coin: async (id: number) => bitcoin && { ...bitcoin, ...names.find((each) => each.id === id) },
    };
    const { choices, action: it } = await answerQuestion('add FOO to my watchlist', [], shared as typeof figures);
    expect(it).toBeUndefined();
    expect(choices).toEqual(['Add Foo Chain to my watchlist', 'Add Foo Money to my watchlist']);
  });
});
