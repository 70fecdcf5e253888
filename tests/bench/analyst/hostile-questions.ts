import type { Figures } from '#domain/analyst/figures.ts';
import { createRandom } from '#domain/random.ts';
import { quote } from '#tests/support/market/quotes.ts';

/** Characters of a text, twice what the app accepts. */
const LENGTH = 4_000;
const NAMES = 20_000;
const SYLLABLES = 'ba be bo ca co da do fi ga ko la lu mi mo na no pe po ra ri sa so ta te to va vo xi za zo'.split(' ');
const MARK = '\u0301';

const random = createRandom(13);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const coins = Array.from({ length: NAMES }, (_, at) => ({
  id: 1000 + at,
  name: Array.from({ length: 2 + Math.floor(random() * 4) }, () => pick(SYLLABLES)).join(''),
  symbol: `${pick(SYLLABLES)}${at % 97}`.toUpperCase(),
  rank: at + 1,
  quote: { USD: quote({ price: 1 }), BTC: quote({}) },
}));
const [longest = ''] = coins.map(({ name }) => name).sort((a, b) => b.length - a.length);

/** Figures with 20,000 names, of which 100 coins are listed. */
export const manyNames: Figures = {
  listing: async () => ({ coins: coins.slice(0, 100), source: { name: 'Bench', demo: true, asOf: '2026-01-01T00:00:00.000Z' } }),
  names: async () => coins,
  coin: async () => undefined,
  days: async () => undefined,
  perpetual: async () => 'none',
  bitcoinHours: async () => undefined,
};

/** Replaces one letter of a word. */
const slip = (word: string): string => {
  const at = Math.floor(random() * word.length);
  return `${word.slice(0, at)}x${word.slice(at + 1)}`;
};
const many = (word: () => string, gap = ' '): string => {
  let text = '';
  while (text.length < LENGTH) text += word() + gap;
  return text.slice(0, LENGTH);
};

/** Texts that cost a reader of questions the most. */
export const HOSTILE_QUESTIONS: Readonly<Record<string, string>> = {
  'one word': many(() => 'the'),
  'no spaces': many(() => 'a', ''),
  names: many(() => pick(coins).name),
  'names with a typo': many(() => slip(pick(coins).name)),
  'names with three typos': many(() => slip(slip(slip(pick(coins).name)))),
  'beginnings of the longest name': many(() => longest.slice(0, -1)),
  'symbols in capitals': many(() => pick(coins).symbol),
  'ambiguous names in a list': many(() => pick(['near', 'and', 'or', 'btc', 'sand'])),
  'periods and figures': many(() => pick(['24h', 'price', 'of', 'volume', '7 days', 'top 10', '$1,000.50', '5%'])),
  emoji: many(() => '👩‍👩‍👧‍👦', ''),
  'combining marks': many(() => `a${MARK}${MARK}${MARK}`),
  digits: many(() => '9,999,999.999'),
  german: many(() => pick(['wie', 'steht', 'der', 'kurs', 'von', 'bitcoin', 'heute', 'höchster', 'preis', 'diese', 'woche'])),
  spanish: many(() => pick(['cuál', 'es', 'el', 'precio', 'de', 'bitcoin', 'hoy', 'esta', 'semana', 'sube'])),
  french: many(() => pick(['quel', 'est', 'le', 'prix', 'du', 'bitcoin', 'aujourd’hui', 'cette', 'semaine', 'hausse'])),
  portuguese: many(() => pick(['qual', 'é', 'o', 'preço', 'do', 'bitcoin', 'hoje', 'esta', 'semana', 'caiu'])),
  turkish: many(() => pick(['bitcoin', 'fiyatı', 'ne', 'kadar', 'bugün', 'en', 'çok', 'yükselen', 'hafta', "Bitcoin'in"])),
  korean: many(() => pick(['비트코인', '가격은', '얼마', '오늘', '이번', '주', '상승률', '순위'])),
};

/** A question in each language, as the first of a process. */
export const FIRST_QUESTIONS: Readonly<Record<string, string>> = {
  German: 'Wie steht Bitcoin heute?',
  Spanish: '¿Cuál es el precio de Bitcoin?',
  French: 'Quel est le prix du Bitcoin ?',
  Portuguese: 'Qual é o preço do Bitcoin?',
  Turkish: 'Bitcoin fiyatı ne kadar?',
  Korean: '비트코인 가격은 얼마예요?',
};
