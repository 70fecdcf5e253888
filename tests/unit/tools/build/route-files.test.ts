import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { routes } from '#client/app/routes.tsx';
import { readRoutes } from '#tools/build/route-files.ts';
import { at } from '#tools/root.mjs';

it('reads every route of the app from its source, with the module of its page', () => {
  const read = readRoutes();
  expect(read.map(({ paths }) => paths)).toEqual(routes.map(({ paths }) => paths));
  expect(read.filter(({ module }) => !existsSync(at(module)))).toEqual([]);
  expect(read.find(({ paths }) => paths.includes('/crypto'))?.module).toBe('src/client/app/pages/market-page.tsx');
});
