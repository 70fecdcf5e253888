import { expect, it } from 'vitest';
import { isKeptPage } from '#client/platform/first-screen/kept-pages.ts';
import { manifest } from '#tools/build/manifest.ts';

it('starts the installed app with a page that the device keeps a first screen of', () => {
  const { id, start_url = '', scope } = manifest('Tidemark');
  expect(isKeptPage(new URL(start_url, 'https://tidemark.example'))).toBe(true);
  // Browsers know an installed app by its id: another one would be another app.
  expect({ id, scope }).toEqual({ id: '/', scope: '/' });
});
