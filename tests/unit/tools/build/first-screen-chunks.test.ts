import type { Rolldown } from 'vite';
import { expect, it } from 'vitest';
import { firstScreenChunks } from '#tools/build/first-screen-chunks.ts';
import { at } from '#tools/root.mjs';

const HOME = at('src/client/app/pages/home-page.tsx');
const ACCOUNT = at('src/client/app/pages/account-page.tsx');
const LOGIN = at('src/client/features/account/sign-in/login-page.tsx');

/** Static imports by module; `behind` follows the first screen. */
const IMPORTS: Record<string, string[]> = {
  [HOME]: ['tile', 'menu', 'field', 'name'],
  [ACCOUNT]: ['row', 'menu'],
  [LOGIN]: ['field', 'form', 'name'],
  name: ['/project/node_modules/zod/v4/mini/index.js'],
  tile: ['figure'],
  behind: ['figure', 'socket'],
};
const graph = { getModuleInfo: (id: string) => ({ importedIds: IMPORTS[id] ?? [] }) } as unknown as Rolldown.ChunkingContext;

/** Returns the files that the groups offer a module, the first one first. */
const filesOf = (id: string) => firstScreenChunks().flatMap(({ name }) => (typeof name === 'function' ? (name(id, graph) ?? []) : []));

it.each([
  ['a page itself', HOME, ['home-page-parts', 'home-page']],
  ['what one page imports through another module', 'figure', ['home-page-parts', 'home-page']],
  ['what two pages import', 'menu', ['screens', 'home-page-parts', 'home-page']],
  ['what visitors import too', 'field', ['common', 'home-page-parts', 'home-page']],
  ['a schema for visitors', 'name', ['schemas', 'home-page-parts', 'home-page']],
])('%s goes with first screens', (_what, id, files) => {
  expect(filesOf(id)).toEqual(files);
});

it.each(['socket', 'form', 'behind', LOGIN])('%s, which no first screen of users needs, is left to the other groups', (id) => {
  expect(filesOf(id)).toEqual([]);
});
