import { expect, it } from 'vitest';
import { pageTitle } from '#client/app/page-title.ts';
import { routes } from '#client/app/routes.tsx';

it.each([
  ['/', 'Tidemark'],
  ['/home', 'Home · Tidemark'],
  ['/crypto', 'Market · Tidemark'],
  ['/crypto/details/1', 'Coin · Tidemark'],
  ['/chat/archive/0c5f', 'Chat · Tidemark'],
  ['/settings/account', 'Settings · Tidemark'],
  ['/settings/terms-and-conditions/', 'Terms and Conditions · Tidemark'],
  ['/nowhere', 'Tidemark'],
])('%s has the title %s', (path, title) => expect(pageTitle(path)).toBe(title));

it('has a title for every page', () => {
  const untitled = routes.flatMap(({ paths }) => paths).filter((path) => path !== '/' && pageTitle(path) === 'Tidemark');
  expect(untitled).toEqual([]);
});
