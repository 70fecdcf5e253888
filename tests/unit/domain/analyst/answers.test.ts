import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bigUsd } from '#domain/analyst/answers/format.ts';
import { formatSignedPercent, formatUsd } from '#domain/format/format-number.ts';
import { createBuiltInAnalyst } from '#server/ports/analyst/built-in-analyst.ts';
import { reading } from '#tests/support/charts/chart-reading.ts';
import { ownOf } from '#tests/support/chat/own-rows.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { perpetualOf } from '#tests/support/market/perpetual.ts';

/** A line of tests/analyst/questions.jsonl. */
interface Asked {
  /** The analyst was not tuned on the unseen half. */
  half: 'unseen' | 'tuned';
  group: string;
  /** The language of the answer; English by default. */
  language?: string;
  /** The last one is answered. */
  turns: string[];
  /** Patterns of a right answer. `{price:BTC}` is a figure of the market. */
  has: string[];
  not?: string[];
}

const market = stillMarket();
const analyst = createBuiltInAnalyst({ market, perpetual: async () => perpetualOf(), readPicture: async () => reading });
const { coins } = await market.snapshot();
const { signal } = new AbortController();

const corpus: Asked[] = readFileSync(new URL('../../../analyst/questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A figure as another language writes it. */
function figureIn(locale: string, name: string): string {
  const [kind, ...rest] = name.split(':');
  const usd = coins.find(({ symbol }) => symbol === rest.at(-1))?.quote.USD;
  const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
  if (kind === 'price')
    return literally(new Intl.NumberFormat(locale, dollars).format(Number(formatUsd(usd?.price ?? 0).replace(/[$,]/g, ''))));
  if (kind === 'change') {
    const change = Math.abs(usd?.[`percent_change_${rest[0]}` as 'percent_change_24h'] ?? 0);
    return literally(new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(change));
  }
  const value = kind === 'cap' ? usd?.market_cap : usd?.volume_24h;
  const [, digits = '', unit = ''] = /^\$([\d.]+)([A-Z])/.exec(bigUsd(value ?? null)) ?? [];
  const fraction = digits.split('.')[1]?.length ?? 0;
  const factor = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[unit] ?? 1;
  const compact = { ...dollars, notation: 'compact', minimumFractionDigits: fraction, maximumFractionDigits: fraction } as const;
  return literally(new Intl.NumberFormat(locale, compact).format(Number(digits) * factor));
}

const LOCALES: Record<string, string> = { de: 'de-DE', es: 'es-ES', fr: 'fr-FR', pt: 'pt-BR', tr: 'tr-TR', ko: 'ko-KR' };

function figure(name: string): string {
  const [kind, ...rest] = name.split(':');
  const usd = coins.find(({ symbol }) => symbol === rest.at(-1))?.quote.USD;
  if (!usd) throw new Error(`no coin for ${name}`);
  if (kind === 'price') return literally(formatUsd(usd.price));
  if (kind === 'cap') return literally(bigUsd(usd.market_cap));
  if (kind === 'volume') return literally(bigUsd(usd.volume_24h));
  const signed = formatSignedPercent(usd[`percent_change_${rest[0]}` as 'percent_change_24h']);
  return `(${literally(signed)}|${signed.startsWith('-') ? 'down' : 'up'} ${literally(signed.slice(1))})`;
}

const pattern = (text: string, language?: string) =>
  new RegExp(
    text
      .replace(/\{([^}]+:[^}]+)\}/g, (_, name) => (language ? figureIn(LOCALES[language] ?? '', name) : figure(name)))
      .replace('(?i)', ''),
    text.startsWith('(?i)') ? 'i' : '',
  );
const ASKS_BACK = /Which coin do you mean|Which two coins|At which price|What do you want to know|can't answer that yet|I don't know "/;

/** Whether an answer is right, asks back or declines, or answers another question. */
async function judge({ turns, has, not = [], language }: Asked): Promise<'right' | 'asks back' | 'wrong'> {
  const history = turns.slice(0, -1).map((question) => ({ question, answer: '' }));
  const { text } = await analyst.answer(turns.at(-1) ?? '', { history, own: ownOf(), signal });
  if (has.every((part) => pattern(part, language).test(text)) && !not.some((part) => pattern(part).test(text))) return 'right';
  return ASKS_BACK.test(text) ? 'asks back' : 'wrong';
}
const judged = await Promise.all(corpus.map(async (asked) => ({ ...asked, result: await judge(asked) })));

/** The smallest share of right answers, and the largest of answers to another question. */
const BARS = { unseen: { right: 0.92, wrong: 0.01 }, tuned: { right: 0.98, wrong: 0 } };

it.each(Object.entries(BARS))('the %s half is answered: %j', (half, { right, wrong }) => {
  const mine = judged.filter((asked) => asked.half === half);
  const share = (result: string) => mine.filter((asked) => asked.result === result).length / mine.length;
  console.log(
    half,
    share('right'),
    share('wrong'),
    judged
      .filter((a) => a.half === half && a.result !== 'right')
      .map(({ result, turns }) => `${result}: ${turns.join(' / ')}`)
      .join('\n'),
  );
  const missed = mine.filter((asked) => asked.result !== 'right').map(({ result, turns }) => `${result}: ${turns.join(' / ')}`);
  expect(share('right'), missed.join('\n')).toBeGreaterThanOrEqual(right);
  expect(share('wrong'), missed.join('\n')).toBeLessThanOrEqual(wrong);
});
