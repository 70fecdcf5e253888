import { afterEach, expect, it, vi } from 'vitest';
import { prepareLanguages } from '#domain/analyst/languages/prepare-languages.ts';

const { DateTimeFormat } = Intl;
afterEach(() => {
  Intl.DateTimeFormat = DateTimeFormat;
});

it('makes the formats of six languages in turn, uses each twice, and lets other work run after each use', async () => {
  const made: unknown[] = [];
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(target, given) {
      made.push(given[0]);
      return Reflect.construct(target, given);
    },
  });
  const turn = vi.fn(async () => undefined);
  await prepareLanguages(turn);
  const locales = ['de-DE', 'es-ES', 'fr-FR', 'pt-BR', 'tr-TR', 'ko-KR'];
  expect(made).toEqual(locales.flatMap((locale) => [locale, locale]));
  expect(turn).toHaveBeenCalledTimes(12);
});
