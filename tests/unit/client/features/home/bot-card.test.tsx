import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BotCard } from '#client/features/home/bot-card.tsx';
import { greeting } from '#client/features/home/greeting.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { PlanType } from '#contract/plan-types.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';

beforeEach(() => signIn(makeTokens({ sub: 'u' }), true));
afterEach(() => {
  cleanup();
  return endSession();
});

const user = (planType: PlanType, created_at: string) => profileOf({ id: 'u', created_at, userSubscription: { planType } });

const NOW = Date.parse('2026-03-10T12:00:00Z');
const IN_GRACE = Date.parse('2025-07-31T12:00:00Z');
const OLD = '2025-01-01T00:00:00Z';
const NEW = '2026-03-01T00:00:00Z';

it.each([
  ['premium', user('PREMIUM', OLD), NOW, 'Premium: Unlimited access'],
  ['the grace period', user('FREE', OLD), IN_GRACE, 'Grace period: Available until August 2025'],
  ['a new user', user('FREE', NEW), NOW, 'Free trial: Limited time access'],
])('opens the bots for %s', (_reason, who, now, text) => {
  render(<BotCard user={who} isLoading={false} now={now} />);
  const card = screen.getByRole('link');
  expect(card.getAttribute('href')).toBe('/trading-bot');
  expect(card.textContent).toBe(`Trading Bot${text}`);
});

it.each([
  ['an old account without Premium', user('PRO', OLD)],
  ['a user who failed to load', undefined],
])('is grayed out for %s', (_reason, who) => {
  render(<BotCard user={who} isLoading={false} now={NOW} />);
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByText('Trading Bot (Premium Only)')).toBeTruthy();
  expect(screen.getByText('Upgrade to Premium for unlimited access')).toBeTruthy();
});

it('is grayed out for a user who lost access, and still links to existing bots', async () => {
  const db = userDb('u');
  await db.bots.put(bot());
  render(<BotCard user={user('FREE', OLD)} isLoading={false} now={NOW} />);
  expect((await screen.findByRole('link')).getAttribute('href')).toBe('/trading-bot');
  expect(screen.getByText(/^Trading Bot \(Premium Only\)/)).toBeTruthy();
  await db.bots.clear();
});

it('marks the kind of money that the bots trade, real money first', async () => {
  const db = userDb('u');
  const held = (bot_id: string, exchange: 'paper' | 'bybit', paper: boolean) =>
    bot({ bot_id, config: { ...bot().config, exchange, paper } });
  render(<BotCard user={user('PREMIUM', OLD)} isLoading={false} now={NOW} />);
  await db.bots.bulkPut([held('a', 'paper', true)]);
  expect(await screen.findByText('Paper trading')).toBeTruthy();
  await db.bots.bulkPut([held('b', 'bybit', true), held('c', 'bybit', false)]);
  expect(await screen.findByText('Real money')).toBeTruthy();
  expect(screen.queryByText('Paper trading')).toBeNull();
  expect(screen.getByRole('link').textContent).toBe('Trading Bot Real moneyPremium: Unlimited access');
  await db.delete();
});

it('shows no access text while the user loads', () => {
  render(<BotCard user={undefined} isLoading now={NOW} />);
  expect(screen.getByRole('link').textContent).toBe('Trading Bot');
});

it('says "Welcome back" from the second day on', () => {
  const now = new Date(2026, 2, 10, 12).getTime();
  expect(greeting(new Date(2026, 2, 10, 0, 1).toISOString(), now)).toBe('Welcome');
  expect(greeting(new Date(2026, 2, 9, 23, 59).toISOString(), now)).toBe('Welcome back');
});
