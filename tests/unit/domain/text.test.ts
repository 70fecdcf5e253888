import { describe, expect, it } from 'vitest';
import { fold, highlight, maskEmail, shortTitle } from '#domain/text.ts';

describe('text', () => {
  it('cuts a chat title after 16 characters', () => {
    expect(shortTitle('Sixteen letters!')).toBe('Sixteen letters!');
    expect(shortTitle('Seventeen letters')).toBe('Seventeen letter..');
  });

  it('masks the local part of an address', () => {
    expect(maskEmail('ada@example.com')).toBe('***@example.com');
    expect(maskEmail('not an address')).toBe('not an address');
  });

  it('folds case and accents', () => expect(fold('Čárka ÉTHER')).toBe('carka ether'));

  it.each([
    ['Bitcoin', 'COIN', ['Bit', 'coin']],
    ['Éther', 'eth', ['Éth', 'er']],
    ['Éther', 'eth', ['Éth', 'er']],
    ['Bitcoin', 'x', ['Bitcoin']],
    ['Bitcoin', '  ', ['Bitcoin']],
    ['🐸 Pepe', 'pe', ['🐸 ', 'Pe', 'pe']],
    ['<b>', '<', ['<', 'b>']],
  ])('splits %s by %s', (text, query, parts) => expect(highlight(text, query).map((part) => part.text)).toEqual(parts));

  it('marks just the typed part', () =>
    expect(highlight('Bitcoin', 'tc')).toEqual([
      { text: 'Bi', match: false },
      { text: 'tc', match: true },
      { text: 'oin', match: false },
    ]));
});
