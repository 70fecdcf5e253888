import { describe, expect, it, vi } from 'vitest';
import { aliasIndexOf, prepareAliasIndex } from '#domain/analyst/coins/aliases.ts';
import { findCoins } from '#domain/analyst/coins/finder.ts';
import { createTypoIndex } from '#domain/analyst/coins/typo-index.ts';
import { readQuestion } from '#domain/analyst/reading/read-question.ts';
import type { CoinName } from '#domain/market/coin.ts';
import { isTypoOf } from '#domain/market/typos.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { quickest } from '#tests/support/processes/cpu-time.ts';

/** Pseudorandom numbers from 0 to 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = seeded(13);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const SYLLABLES = 'ba be bo ca co da do fi ga ko la lu mi mo na no pe po ra ri sa so ta te to va vo xi za zo'.split(' ');
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

const nameOf = (): string => Array.from({ length: 2 + Math.floor(random() * 4) }, () => pick(SYLLABLES)).join('');
const coinsOf = (count: number): CoinName[] =>
  Array.from({ length: count }, (_, at) => ({
    id: 1000 + at,
    name: nameOf(),
    symbol: `${pick(SYLLABLES)}${at % 97}`.toUpperCase(),
    rank: at + 1,
  }));

/** Drops, adds, replaces or swaps a letter. */
function slip(word: string): string {
  const at = Math.floor(random() * word.length);
  const [before, letter, next, after] = [word.slice(0, at), word[at] ?? '', word[at + 1] ?? '', word.slice(at + 2)];
  return pick([
    before + next + after,
    before + letter + pick(LETTERS) + next + after,
    before + pick(LETTERS) + next + after,
    before + next + letter + after,
  ]);
}

const MANY = coinsOf(20_000);
const textOf = (length: number, word: () => string): string => {
  let text = '';
  while (text.length < length) text += `${word()} `;
  return text.slice(0, length);
};

describe('the index of coins', () => {
  it('finds the same name for a typo as a comparison with every name', () => {
    const names = MANY.slice(0, 1500).map(({ name }) => name);
    const index = createTypoIndex();
    for (const [rank, name] of names.entries()) index.add(name, rank);
    for (let round = 0; round < 1500; round++) {
      const word = Array.from({ length: Math.floor(random() * 4) }).reduce<string>(slip, random() < 0.9 ? pick(names) : nameOf());
      const expected = names.findIndex((name) => isTypoOf(word, name));
      expect(index.find(word), word).toBe(expected < 0 ? Number.POSITIVE_INFINITY : expected);
    }
  });

  it('resolves a long list from its certain end', () => {
    const { mentions } = findCoins(`${'near, '.repeat(600)}btc`, stillMarket().known());
    expect(mentions).toHaveLength(601);
  });

  // 20 ms on a quiet machine; a search through all names takes many seconds.
  it.each([
    ['names', () => pick(MANY).name],
    ['names with typos', () => slip(slip(slip(pick(MANY).name)))],
    ['words of lists', () => pick(['near', 'and', 'or', 'btc', 'sand'])],
    ['one word', () => 'the'],
  ])('reads 4,000 characters of %s against 20,000 coins at once', (_what, word) => {
    aliasIndexOf(MANY);
    const text = textOf(4000, word);
    expect(quickest(() => findCoins(text, MANY), 100)).toBeLessThan(100);
    expect(quickest(() => readQuestion(text, MANY), 200)).toBeLessThan(200);
  });

  it('is built in slices, once per list', async () => {
    const coins = coinsOf(20_000);
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    await Promise.all([prepareAliasIndex(coins), prepareAliasIndex(coins)]);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(2);
    expect(aliasIndexOf(coins)).toBe(aliasIndexOf(coins));
    const text = textOf(600, () => slip(pick(coins).name));
    expect(findCoins(text, coins)).toEqual(findCoins(text, [...coins]));
  });
});

it('builds the index in slices where Node’s functions are missing, as in a browser', async () => {
  vi.stubGlobal('setImmediate', undefined);
  let now = 0;
  // Each coin takes longer than a slice.
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000;
    return now;
  });
  const coins = [
    { id: 1, name: 'Bitcoin', symbol: 'BTC', rank: 1 },
    { id: 1027, name: 'Ethereum', symbol: 'ETH', rank: 2 },
  ];
  await prepareAliasIndex(coins);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  expect(aliasIndexOf(coins)).toBeDefined();
});
