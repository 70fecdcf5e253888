import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AnswerFigures, answerFigures, MAX_FIGURES } from '#contract/chat/answer-figures.ts';
import { answerQuestion } from '#domain/analyst/answer-question.ts';
import { choicesText } from '#domain/analyst/answers/choices-text.ts';
import { plain } from '#domain/analyst/answers/format.ts';
import { moveFigures, takeFigures, told } from '#domain/analyst/answers/told.ts';
import { findCurrentFigure } from '#domain/analyst/current-figure.ts';
import type { Figures } from '#domain/analyst/figures.ts';
import { marketFigures } from '#server/ports/analyst/market-figures.ts';
import { ownOf } from '#tests/support/chat/own-rows.ts';
import { coinWith, stillMarket } from '#tests/support/market/market.ts';
import { perpetualOf } from '#tests/support/market/perpetual.ts';

const figures = marketFigures(stillMarket(), async () => perpetualOf());
const { coins, source } = await figures.listing();

/** What a person reads as a figure of the market. */
const AMOUNT = /-?[$₿][\d,.]*\d[KMBT]?|[+-]?\d[\d,.]*%/g;

const corpus: string[][] = readFileSync(new URL('../../../../analyst/questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).turns);
const answered = await Promise.all(
  corpus.map(async (turns) => ({ turns, ...(await answerQuestion(turns.at(-1) ?? '', turns.slice(0, -1), figures, ownOf())) })),
);
const shownBy = (text: string, { list }: AnswerFigures) => list.map(({ at, length }) => text.slice(at, at + length));

describe('the figures of every answer to the corpus', () => {
  it('fit the contract, follow each other, and are texts with a number in it', () => {
    for (const { text, figures: found } of answered) {
      expect(answerFigures.safeParse(found).success).toBe(true);
      expect(text).not.toMatch(/[\ue000-\ue002]/);
      let end = 0;
      for (const { at, length, source: from } of found.list) {
        expect(at).toBeGreaterThanOrEqual(end);
        end = at + length;
        expect(text.slice(at, end)).toMatch(/\d|^unchanged$/);
        expect(found.sources[from]).toBeDefined();
      }
    }
    expect(answered.flatMap(({ figures: found }) => found.list).length).toBeGreaterThan(1500);
  });

  it('include each amount and percentage of the market that it states', () => {
    for (const { turns, text: whole, choices, figures: found } of answered) {
      // Questions that the answer proposes are not statements.
      const text = whole.replace(choicesText(choices), '');
      const isOfMarket = !/ a month|^An alert watches|^Set this alert|^Do you mean/.test(text) && !/^\*\*[^*]+\.\*\* /.test(text);
      if (!isOfMarket || !text.includes('\n\nData: ') || found.list.length === MAX_FIGURES) continue;
      const isTold = (at: number) => found.list.some((figure) => at >= figure.at - 1 && at < figure.at + figure.length);
      const asked = [
        ...turns
          .join(' ')
          .replaceAll(',', '')
          .matchAll(/(\d[\d.]*)(k?)/gi),
      ].map(([, digits, k]) => Number(digits) * (k ? 1000 : 1));
      // Amounts of the question, examples of questions, and how near prices form one level are no figures of the market.
      const isOther = (amount: string) => asked.includes(Number(amount.replace(/[$₿%,]/g, ''))) || /^(0\.75|1\.5)%$/.test(amount);
      const examples = [...text.matchAll(/"[^"]*"/g)].map(({ index, 0: quoted }) => [index, index + quoted.length] as const);
      const untold = [...text.matchAll(AMOUNT)].filter(
        ({ index, 0: amount }) => !isTold(index) && !isOther(amount) && !examples.some(([from, to]) => index > from && index < to),
      );
      expect(
        untold.map(([amount]) => amount),
        text,
      ).toEqual([]);
    }
  });

  it('have the same value when they are looked up at once, unless they are of the past', async () => {
    const current = answered.flatMap(({ figures: { list, sources } }) =>
      list.flatMap((figure) => {
        const { tool } = sources[figure.source] ?? {};
        const isPast =
          / on \d+ \w+ \d{4}$| before, calculated|^Price of the purchase$/.test(figure.label) ||
          (tool === 'levels' && figure.unit === 'USD');
        return figure.now && !isPast ? [{ ...figure, now: figure.now }] : [];
      }),
    );
    expect(current.length).toBeGreaterThan(1000);
    for (const figure of current) {
      const { value } = await findCurrentFigure(figure.now, figures);
      expect(value, figure.label).toBeCloseTo(figure.value, 6 - Math.ceil(Math.log10(Math.max(1, Math.abs(figure.value)))));
    }
  });
});

it('names what a figure is, its source, time and unit', async () => {
  const { text, figures: found } = await answerQuestion('bitcoin price', [], figures);
  const [price, change] = found.list;
  expect(shownBy(text, found)[0]).toMatch(/^\$[\d,.]+$/);
  expect(price).toMatchObject({ label: 'Price of Bitcoin (BTC)', unit: 'USD', now: { metric: 'price', coin: 1 } });
  expect(price?.value).toBe(coins[0]?.quote.USD.price);
  expect(change).toMatchObject({ label: 'Change of Bitcoin (BTC) over 24 hours', unit: 'percent' });
  expect(found.sources).toEqual([{ tool: 'quotes', name: plain(source.name), asOf: source.asOf }]);
});

it('says that a close comes from the candles of its day', async () => {
  const { figures: found } = await answerQuestion('btc close on 3 March 2026', [], figures);
  const [close] = found.list;
  expect(close?.label).toBe('Close of Bitcoin (BTC) on 3 Mar 2026');
  expect(found.sources[close?.source ?? -1]).toMatchObject({ tool: 'candles', asOf: '2026-03-03T00:00:00.000Z' });
});

it('takes no mark from the name of a coin', async () => {
  const forged = told('$1', { label: 'forged', value: 1, unit: 'USD' });
  const evil = coinWith({ id: 1, name: `Evil${forged}`, symbol: 'EVL', rank: 1, usd: { price: 5 } });
  const hostile: Figures = {
    ...figures,
    listing: async () => ({ coins: [evil], source: { ...source, name: `Source${forged}` } }),
    names: async () => [evil],
  };
  const { text, figures: found } = await answerQuestion('EVL price', [], hostile);
  expect(shownBy(text, found)[0]).toBe('$5.00');
  expect(found.list.map(({ label }) => label)).not.toContain('forged');
});

it('keeps at most 150 figures and 20 sources, and the whole text', () => {
  const many = Array.from({ length: 400 }, (_, at) =>
    told('$1', { label: 'x'.repeat(500), value: 1, unit: 'USD', source: `source ${at % 25}` }),
  );
  const { text, figures: found } = takeFigures(many.join(' '), { name: 'usual', asOf: source.asOf });
  expect(text).toBe(many.map(() => '$1').join(' '));
  expect(found.sources).toHaveLength(20);
  expect(found.list).toHaveLength(MAX_FIGURES);
  expect(answerFigures.safeParse(found).success).toBe(true);
});

it('leaves unknown figures and broken marks as text', () => {
  const text = `${told('–', { label: 'a', value: null, unit: 'USD' })} \ue000 \ue002 \ue001`;
  expect(takeFigures(text, { name: '', asOf: '' })).toEqual({ text: '–   ', figures: { sources: [], list: [] } });
});

it('moves figures behind a text before them', async () => {
  const { text, figures: found } = await answerQuestion('bitcoin price', [], figures);
  expect(shownBy(`before ${text}`, moveFigures(found, 7))).toEqual(shownBy(text, found));
});

describe('a current figure', () => {
  it('is null for a coin, a candle or a figure that is gone', async () => {
    for (const subject of [
      { metric: 'price', coin: 999_999_999 },
      { metric: 'price', coin: 1, over: 999_999_999 },
      { metric: 'high', coin: 999_999_999, days: 30 },
      { metric: 'correlation', coin: 1, days: 30 },
      { metric: 'rank' },
      { metric: 'high', coin: 1 },
      { metric: 'supply', coin: 1, days: 30 },
      { metric: 'price', coin: 1, times: 1e308, plus: 1e308 },
    ] as const)
      expect(await findCurrentFigure(subject, figures), JSON.stringify(subject)).toEqual({ value: null, source });
  });
});
