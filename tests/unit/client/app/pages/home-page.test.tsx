import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import HomePage, { ahead } from '#client/app/pages/home-page.tsx';
import { dropResults, readAhead } from '#client/platform/cache/read-ahead.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';

const USER = 'home';

afterEach(async () => {
  cleanup();
  dropResults();
  await endSession();
  vi.unstubAllGlobals();
});

it('has the stored profile, chats and money of the bots in its first render', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  await signIn(makeTokens({ sub: USER }), true);
  const db = userDb(USER);
  await db.profile.put(profileOf({ id: USER, userSubscription: { planType: 'PREMIUM' } }));
  await db.archives.put({ id: 'a', archive_title: 'My first chat', created_at: '2026-01-01T00:00:00.000Z' });
  await db.bots.put(bot());
  await readAhead(USER, ahead(undefined, USER));
  const { container } = render(<HomePage />);
  expect(container.querySelector('[data-skeleton]')).toBeNull();
  expect(screen.getByText('My first chat')).toBeTruthy();
  expect(screen.getByText('Premium: Unlimited access')).toBeTruthy();
  expect(await screen.findByText('Paper trading')).toBeTruthy(); // its code loads later
});
