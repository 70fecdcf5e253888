import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import HomePage, { ahead } from '#client/app/pages/home-page.tsx';
import { totalsResource } from '#client/features/market/home/totals-resource.ts';
import { coinListResource } from '#client/features/market/list/coin-list-resource.ts';
import { watchlistResource, wholeWatchlist } from '#client/features/watchlist/watchlist-resource.ts';
import { dropResults, readAhead } from '#client/platform/cache/read-ahead.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { DEFAULT_CHOICE } from '#domain/market/list-address.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';
import { quote } from '#tests/support/market/quotes.ts';

const USER = 'home';

afterEach(async () => {
  cleanup();
  dropResults();
  await endSession();
  document.getElementById('first-screen')?.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('has the stored profile and figures in its first render, and what is below them soon after', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  await signIn(makeTokens({ sub: USER }), true);
  const db = userDb(USER);
  await db.profile.put(profileOf({ id: USER, userSubscription: { planType: 'PREMIUM' } }));
  await db.archives.put({ id: 'a', archive_title: 'My first chat', created_at: '2026-01-01T00:00:00.000Z' });
  await db.bots.put(bot());
  const coin = { id: 1, name: 'Bitcoin', symbol: 'BTC', rank: 1, quote: { USD: quote({ price: 5, percent_change_24h: 2 }) } };
  const source = { name: 'Demo', demo: true, asOf: '2026-01-01T00:00:00.000Z' };
  await watchlistResource.write(db, wholeWatchlist(USER), { status: 200, data: [coin], source, ids: [1], askedAt: 1 });
  await coinListResource.write(db, DEFAULT_CHOICE, { data: [coin], source });
  const sums = { market_cap: 3e12, market_cap_change_24h: 1, btc_dominance: 58, btc_dominance_change_24h: 0, coins: 100, source };
  await totalsResource.write(db, {}, sums);
  await readAhead(USER, ahead(undefined, USER));
  const { container } = render(<HomePage />);
  expect(screen.getByRole('list', { name: 'Watchlist' }).textContent).toContain('Bitcoin');
  expect(screen.getByRole('link', { name: /^Market cap/ }).textContent).toContain('$3.0T');
  await screen.findByText('My first chat');
  expect(screen.getByRole('list', { name: 'Top movers' }).textContent).toContain('Bitcoin');
  expect(container.querySelector('[data-skeleton]')).toBeNull();
  expect(screen.getByText('Premium: Unlimited access')).toBeTruthy();
  expect(await screen.findByText('Paper trading')).toBeTruthy(); // its code loads later
});

it.each([
  ['its first section', '', 0],
  ['all sections when it takes over from a stored screen, which has shown all', '<div id="first-screen"></div>', 1],
])('renders first %s', async (_name, drawn, cards) => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'navigate' } as never]);
  await signIn(makeTokens({ sub: USER }), true);
  document.body.innerHTML = drawn;
  render(<HomePage />);
  expect(screen.queryAllByRole('navigation', { name: 'Start' })).toHaveLength(cards);
});
