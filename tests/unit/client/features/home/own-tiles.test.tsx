import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OwnTiles } from '#client/features/home/own-tiles.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { hideAmounts } from '#client/platform/device-choices/hide-amounts.ts';
import { setUnread } from '#client/platform/notifications/unread.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';

beforeEach(() => signIn(makeTokens({ sub: 'tiles' }), true));
afterEach(() => {
  setUnread(0);
  cleanup();
  return endSession();
});

const tile = (name: RegExp) => screen.getByRole('link', { name });

it('show no bots and nothing unread', () => {
  render(<OwnTiles />);
  expect(tile(/^Running bots/).textContent).toBe('Running bots0None is running');
  expect(tile(/^Unread/).textContent).toBe('Unread0You are up to date');
});

it('show the profit of running bots and the unread notifications, and lead to them', async () => {
  await userDb('tiles').bots.put(bot({ status: 'RUNNING', equity: 1012.5, position_size: 1000 }));
  setUnread(1);
  render(<OwnTiles />);
  await waitFor(() => expect(tile(/^Running bots/).textContent).toMatch(/^Running bots\+\$12\.501 running · /));
  expect(tile(/^Running bots/).getAttribute('href')).toBe('/trading-bot');
  expect(tile(/^Unread/).textContent).toBe('Unread1notification');
  expect(tile(/^Unread/).getAttribute('href')).toBe('/settings/notification');
});

it('hide the profit with all amounts, and delete stored first screens, which show it', async () => {
  const { deviceDb } = await import('#client/platform/db/device-db.ts');
  await deviceDb.screens.put({ address: '/home', html: '+$12.50' } as never);
  await userDb('tiles').bots.put(bot({ status: 'RUNNING', equity: 1012.5, position_size: 1000 }));
  render(<OwnTiles />);
  await waitFor(() => expect(tile(/^Running bots/).textContent).toContain('+$12.50'));
  await act(() => hideAmounts(true));
  expect(tile(/^Running bots/).textContent).toMatch(/^Running bots•••1 running · /);
  expect(document.body.innerHTML).not.toContain('12.50');
  expect(await deviceDb.screens.count()).toBe(0);
  await act(() => hideAmounts(false));
});
