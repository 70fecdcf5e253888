import { afterEach, expect, it, vi } from 'vitest';
import { prepareLanguages } from '#domain/analyst/languages/prepare-languages.ts';

const { DateTimeFormat } = Intl;
afterEach(() => {
  Intl.DateTimeFormat = DateTimeFormat;
});

it('makes the formats of six languages, and lets other work run after each', async () => {
  const made: unknown[] = [];
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(target, given) {
      made.push(given[0]);
      return Reflect.construct(target, given);
    },
  });
  const turn = vi.fn(async () => undefined);
  await prepareLanguages(turn);
  expect(made).toEqual(['de-DE', 'es-ES', 'fr-FR', 'pt-BR', 'tr-TR', 'ko-KR']);
  expect(turn).toHaveBeenCalledTimes(6);
});
