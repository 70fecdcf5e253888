import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AnswerFigures, answerFigures } from '#contract/chat/answer-figures.ts';
import { answerQuestion } from '#domain/analyst/answer-question.ts';
import { takeFigures, told, withShortMarks } from '#domain/analyst/answers/told.ts';
import { type Code, loadLanguage } from '#domain/analyst/languages/detect-language.ts';
import { type Language, SENTENCES, type SentenceKey, WORDS } from '#domain/analyst/languages/sentences.ts';
import { answerIn, sentenceIn } from '#domain/analyst/languages/translate-answer.ts';
import { marketFigures } from '#server/ports/analyst/market-figures.ts';
import { stillMarket } from '#tests/support/market/market.ts';

const figures = marketFigures(stillMarket());
const CODES: readonly Code[] = ['de', 'es', 'fr', 'pt', 'tr', 'ko'];
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
const fill = (text: string) =>
  text
    .replace('{c2}', 'Ethereum')
    .replace('{c}', 'Bitcoin')
    .replace('{x}', 'Bitcoin and Ethereum')
    .replace('{u}', '$1,000,000')
    .replace('{p}', '5%')
    .replace('{t}', '24 hours');

interface Line {
  group: string;
  language?: string;
  turns: string[];
}
const corpus: Line[] = readFileSync(new URL('../../../../analyst/questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Marks the figures of an answer as they were before they were taken. */
function markedAgain(text: string, { sources, list }: AnswerFigures): string {
  return list.reduceRight((marked, { at, length, label, value, unit, source, now }) => {
    const { tool, name, asOf } = sources[source] as AnswerFigures['sources'][number];
    const shown = told(text.slice(at, at + length), { label, value, unit, tool, source: name, time: Date.parse(asOf), now });
    return marked.slice(0, at) + shown + marked.slice(at + length);
  }, text);
}

/** What the figures are, in an order that does not depend on their places. */
const described = ({ sources, list }: AnswerFigures) =>
  list.map(({ label, value, unit, source, now }) => JSON.stringify({ label, value, unit, now, ...sources[source] })).sort();

/** What is explained in English only. */
const ENGLISH_ONLY =
  /^\*\*[A-Z].*\.\*\* |^I don't have this figure|trading bot follows|follows crypto markets|funding rate or open interest|Funding rate: |trading bots|I can't read your|chart analyses|I answer in English/m;

describe.each(CODES)('in %s', async (code) => {
  const language = await loadLanguage(code);

  it('each sentence uses what its English has', () => {
    expect(language.words).toHaveLength(WORDS.length);
    for (const key of Object.keys(SENTENCES) as SentenceKey[])
      for (const name of placeholders(language.sentences[key])) expect(placeholders(SENTENCES[key]), key).toContain(name);
  });

  it('every answer of the corpus exists, but for explanations', async () => {
    for (const { turns } of corpus.filter((line) => !line.language)) {
      const { text } = await answerQuestion(turns.at(-1) ?? '', turns.slice(0, -1), figures);
      const translated = answerIn(language, text);
      if (!ENGLISH_ONLY.test(text)) expect(translated, turns.join(' / ')).toBeDefined();
      expect(translated ?? '').not.toMatch(/\{\w+\}/);
    }
  });

  it('every figure of an answer keeps what it is, its source, time and unit', async () => {
    let kept = 0;
    for (const { turns } of corpus.filter((line) => !line.language)) {
      const { text, figures: found } = await answerQuestion(turns.at(-1) ?? '', turns.slice(0, -1), figures);
      const marked = withShortMarks(markedAgain(text, found), (short) => answerIn(language, short));
      if (marked === undefined) continue;
      const { text: shown, figures: translated } = takeFigures(marked, found.sources[0] ?? { name: '', asOf: '' });
      expect(shown, turns.join(' / ')).toBe(answerIn(language, text));
      expect(answerFigures.safeParse(translated).success).toBe(true);
      expect(described(translated), turns.join(' / ')).toEqual(described(found));
      for (const { at, length } of translated.list) expect(shown.slice(at, at + length)).toMatch(/\d|^[\p{L} ]+$/u);
      kept += translated.list.length;
    }
    expect(kept).toBeGreaterThan(1000);
  });

  it('an answer to a question in the language has no figure that cannot be tapped', async () => {
    const mine = corpus.filter((line) => line.language === code);
    expect(mine.length).toBeGreaterThan(10);
    for (const { turns } of mine) {
      const answer = await answerQuestion(turns.at(-1) ?? '', turns.slice(0, -1), figures);
      if (answer.text.startsWith(language.onlyEnglish) || answer.action || answer.choices.length > 0) continue;
      const rest = answer.figures.list.reduceRight((text, { at, length }) => text.slice(0, at) + text.slice(at + length), answer.text);
      const digits = (amount: string) => amount.replace(/\D/g, '');
      const asked = [...turns.join(' ').matchAll(/\d[\d.,]*/g)].map(([amount]) => digits(amount));
      const untold = [...rest.matchAll(/[$%]\s?-?\d[\d.,\s]*|\d[\d.,\s]*[$%]/g)].map(([amount]) => amount);
      // Amounts of the question, and how near prices form one level, are no figures of the market.
      const others = untold.filter((amount) => !asked.includes(digits(amount)) && !/^(15|075)$/.test(digits(amount)));
      expect(others, `${turns.join(' / ')}: ${answer.text}`).toEqual([]);
    }
  });

  it('every question that is asked back is understood', async () => {
    for (const key of (Object.keys(SENTENCES) as SentenceKey[]).filter((each) => each.startsWith('ask') && each !== 'askMe')) {
      const question = sentenceIn(language, fill(SENTENCES[key])) ?? '';
      const { text, isPartial, action } = await answerQuestion(question, [], figures);
      expect(isPartial, `${key}: ${question}`).toBe(false);
      expect(text.startsWith(language.onlyEnglish) || text.includes('What do you want'), `${key}: ${question}: ${text}`).toBe(false);
      if (/Reaches|Above|Below|Rises|Falls|Add/.test(key)) expect(action, `${key}: ${question}`).toBeDefined();
    }
  });
});

it('writes numbers, money and dates as the language does, also inside marks', async () => {
  const [de, pt, tr, ko] = await Promise.all((['de', 'pt', 'tr', 'ko'] as const).map(loadLanguage));
  const inWords = (language: unknown, text: string) => sentenceIn(language as Language, text)?.replace(/[\u00a0\u202f]/g, ' ');
  const line = 'Highest: **$1,234.50** on 21 Feb 2025. The price is down 3.10% from there';
  expect(inWords(de, line)).toBe('Höchster Preis: **1.234,50 $** am 21. Feb. 2025. Seitdem minus 3,10 %');
  expect(inWords(pt, line)).toBe('Máxima: **$ 1.234,50** em 21 de fev. de 2025. Desde então, queda de 3,10%');
  expect(inWords(tr, line)).toContain('$1.234,50');
  expect(inWords(ko, line)).toContain('2025년 2월 21일');
  expect(inWords(de, '**Bitcoin** is at **\ue000{"a":1}\ue001$5.00\ue002**.')).toBe(
    '**Bitcoin** steht bei **\ue000{"a":1}\ue0015,00 $\ue002**.',
  );
  expect(inWords(de, 'Something else.')).toBeUndefined();
});
