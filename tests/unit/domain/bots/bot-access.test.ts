import { describe, expect, it } from 'vitest';
import type { PlanType } from '#contract/plan-types.ts';
import { botAccess } from '#domain/bots/bot-access.ts';
import { DAY } from '#domain/clock.ts';

describe('trading-bot access', () => {
  const user = (planType: PlanType, created_at: string) => ({
    created_at,
    userSubscription: { planType, extraChatAnalysis: 0, activeAutoRenewal: false, endDate: null },
  });
  const now = Date.UTC(2026, 10, 21);
  const daysAgo = (days: number) => new Date(now - days * DAY).toISOString();

  it('is denied without user data', () =>
    expect(botAccess(undefined, now)).toEqual({ allowed: false, message: 'User data not available' }));
  it('is always open to Premium', () =>
    expect(botAccess(user('PREMIUM', daysAgo(900)), now)).toEqual({ allowed: true, reason: 'premium' }));
  it('puts Premium before the grace period', () =>
    expect(botAccess(user('PREMIUM', daysAgo(900)), Date.UTC(2025, 6, 1))).toEqual({ allowed: true, reason: 'premium' }));
  it('was open to all until 1 August 2025', () => {
    const old = user('FREE', '2024-01-01T00:00:00Z');
    expect(botAccess(old, Date.UTC(2025, 6, 22))).toEqual({ allowed: true, reason: 'grace_period', daysRemaining: 10 });
    expect(botAccess(old, Date.UTC(2025, 7, 1)).allowed).toBe(false);
  });
  it('is a free trial for 30 days from the creation of the account', () => {
    expect(botAccess(user('FREE', daysAgo(0)), now)).toEqual({ allowed: true, reason: 'new_user', daysRemaining: 30 });
    expect(botAccess(user('PRO', daysAgo(30)), now)).toEqual({ allowed: true, reason: 'new_user', daysRemaining: 0 });
  });
  it('is denied afterwards, with the reason', () =>
    expect(botAccess(user('PRO', daysAgo(30.01)), now)).toEqual({
      allowed: false,
      message: 'Trading bot access requires Premium subscription or account must be less than 30 days old',
    }));
});
