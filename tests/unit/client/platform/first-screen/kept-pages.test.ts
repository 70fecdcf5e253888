import { expect, test } from 'vitest';
import { isKeptPage } from '#client/platform/first-screen/kept-pages.ts';

const CHAT = '/chat/archive/6f1c2a52-95d5-4d0c-8a6f-0c6f6f0e4b11';

test.each([
  ['/home', ''],
  ['/crypto', ''],
  ['/crypto', '?ranking=4&top=20'],
  ['/crypto/watchlist', ''],
  ['/crypto/details/1', ''],
  ['/crypto/details/999999999', '?currency=BTC'],
  ['/archive', ''],
  ['/settings/account', ''],
  ['/settings/watchlist', ''],
  [CHAT, ''],
])('the device keeps a first screen of %s%s', (pathname, search) => {
  expect(isKeptPage({ pathname, search })).toBe(true);
});

test.each([
  ['/', ''],
  ['/onboarding/one', ''],
  ['/login', ''],
  ['/sign-up', ''],
  ['/forgot-password', ''],
  ['/verify-email', ''],
  ['/reset-password', ''],
  ['/verification-email', ''],
  ['/shared', ''],
  ['/home/', ''],
  ['/home/more', ''],
  ['/chat', ''],
  ['/chat/archive/', ''],
  [`${CHAT}/more`, ''],
  [`/chat/archive/${'x'.repeat(65)}`, ''],
  ['/chat/archive/a%2Fb', ''],
  ['/crypto/crypto-search', ''],
  ['/crypto/details/', ''],
  ['/crypto/details/bitcoin', ''],
  ['/crypto/details/1234567890', ''],
  ['/more/crypto/details/1', ''],
  ['/pricing', ''],
  ['/settings/profile', ''],
  ['/settings/storage', ''],
  ['/settings/devices', ''],
  ['/settings/alerts', ''],
  ['/settings/notification', ''],
  ['/settings/manage-subscription', ''],
  ['/settings/help-center', ''],
  ['/settings/terms-and-conditions', ''],
  ['/trading-bot', ''],
  ['/trading-bot/configure', ''],
  ['/trading-bot/bots/1', ''],
  ['/training-insight', ''],
  ['/indicator', ''],
])('the device keeps none of %s%s', (pathname, search) => {
  expect(isKeptPage({ pathname, search })).toBe(false);
});

test.each([
  [200, true],
  [201, false],
])('of an address of %i characters it keeps one: %s', (length, isKept) => {
  const pathname = '/home';
  expect(isKeptPage({ pathname, search: '?'.padEnd(length - pathname.length, 'x') })).toBe(isKept);
});
