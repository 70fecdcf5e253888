import { exec } from 'preact-router';
import { expect, it } from 'vitest';
import { matchRoute, showsTabs } from '#client/app/match-route.ts';
import { routes } from '#client/app/routes.tsx';

const GUARDS: Record<string, readonly string[]> = {
  everybody: ['/', '/settings/terms-and-conditions', '/settings/privacy-policies', '/verification-email', '/reset-password'],
  'those who have not finished onboarding': ['/onboarding/one', '/onboarding/two', '/onboarding/three'],
  'visitors only': ['/sign-up', '/login', '/forgot-password', '/verify-email'],
  users: [
    '/home',
    '/chat',
    '/chat/archive/0c5f',
    '/archive',
    '/crypto',
    '/crypto/crypto-search',
    '/crypto/details/1027',
    '/crypto/watchlist',
    '/settings/watchlist',
    '/settings/devices',
    '/settings/alerts',
    '/settings/notification',
    '/settings/notification/settings',
    '/settings/help-center',
    '/training-insight',
  ],
  'users, without the frame of the app': ['/indicator'],
  'users whose profile is there': [
    '/pricing',
    '/settings/profile',
    '/settings/manage-subscription',
    '/trading-bot',
    '/trading-bot/configure',
    '/trading-bot/bots/0c5f',
    '/trading-bot/backtests',
    '/trading-bot/backtests/0c5f',
  ],
  'users, and everybody else is asked to log in': ['/settings/account'],
};
const NAMES: Record<string, string> = {
  none: 'everybody',
  onboarding: 'those who have not finished onboarding',
  public: 'visitors only',
  inner: 'users, without the frame of the app',
  user: 'users',
  profile: 'users whose profile is there',
  account: 'users, and everybody else is asked to log in',
};

it.each(Object.entries(GUARDS).flatMap(([guard, paths]) => paths.map((path) => [path, guard] as const)))('%s is for %s', (path, guard) => {
  expect(NAMES[matchRoute(path)?.route.guard ?? '']).toBe(guard);
  expect(matchRoute(`${path}/`.replace('//', '/'))).toEqual(matchRoute(path));
});

it.each(['/nowhere', '/chat/archive', '/crypto/details', '/settings', '/onboarding/four', '/home/more'])('%s matches no route', (path) => {
  expect(matchRoute(path)).toBeUndefined();
});

it('shows the tab bar on the four main pages and on pages of the market', () => {
  const tabbed = ['/home', '/crypto', '/crypto/crypto-search', '/crypto/details/1', '/crypto/watchlist', '/archive', '/settings/account'];
  expect([...tabbed, '/chat', '/chat/archive/1', '/settings/profile', '/pricing', '/login'].filter(showsTabs)).toEqual(tabbed);
});

it('matches each address with exactly one pattern', () => {
  const patterns = routes.flatMap(({ paths }) => paths);
  const ambiguous = patterns.filter((address) => patterns.filter((pattern) => exec(address, pattern, {})).length !== 1);
  expect(ambiguous).toEqual([]);
});
