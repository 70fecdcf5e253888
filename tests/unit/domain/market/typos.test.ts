import { describe, expect, it } from 'vitest';
import { editDistance, isTypoOf } from '#domain/market/typos.ts';

describe('isTypoOf', () => {
  it.each([
    ['bitcion', 'bitcoin', true],
    ['bitcon', 'bitcoin', true],
    ['bitcoinn', 'bitcoin', true],
    ['bitten', 'bitcoin', false],
    ['citcoin', 'bitcoin', false],
    ['etherum', 'ethereum', true],
    ['etheruim', 'ethereum', true],
    ['ether', 'ethereum', false],
    ['trom', 'tron', false],
  ])('%s for %s: %s', (word, name, expected) => expect(isTypoOf(word, name)).toBe(expected));

  it('counts a swap of neighbors once', () => {
    expect(editDistance('abcd', 'abdc')).toBe(1);
    expect(editDistance('', 'abc')).toBe(3);
    expect(editDistance('kitten', 'sitting')).toBe(3);
  });
});
