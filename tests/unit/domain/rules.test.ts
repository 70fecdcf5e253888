import { describe, expect, it } from 'vitest';
import type { PlanType } from '#contract/subscription.ts';
import { botAccess } from '#domain/bots/bot-access.ts';
import { DAY } from '#domain/clock.ts';
import { formatCountdown, isSameDay } from '#domain/format/format-time.ts';
import { amountFilter, changeFilter, decimal, digits, integer, sizeFilter, volumeFilter } from '#domain/format/input-filters.ts';
import { PLANS, planRank } from '#domain/plans/plans.ts';
import { fold, highlight, maskEmail, shortTitle } from '#domain/text.ts';

describe('plans (spec §9)', () => {
  it('are priced, limited and ordered as specified', () => {
    expect(
      Object.entries(PLANS).map(([type, plan]) => [planRank(type as PlanType), plan.name, plan.price, plan.questions, plan.chartAnalyses]),
    ).toEqual([
      [1, 'Free', 0, 10, 3],
      [2, 'Basic', 14.99, 30, 20],
      [3, 'Pro', 24.99, 100, 40],
      [4, 'Premium', 49.99, -1, -1],
    ]);
  });
});

describe('trading-bot access (spec §6)', () => {
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

describe('input filters (spec §5)', () => {
  it.each([
    ['12a3', '123'],
    ['-5', '5'],
    ['', ''],
  ])('digits of %s: %s', (typed, left) => expect(digits(typed)).toBe(left));

  it.each([
    ['1000', '1000'],
    [' $1,000.00 ', '1000'],
    ['500.', '500'],
    ['500,5 USD', '500'],
    ['1.000', '1000'],
    ['-99abc', '99'],
    ['', ''],
    ['12345678901', '123456789'],
  ])('position size of %s: %s', (typed, left) => expect(sizeFilter(typed)).toBe(left));

  it.each([
    ['007', '7'],
    ['0', '0'],
    ['.5', '0.5'],
    ['1.2.3', '1.23'],
    ['00.50', '0.50'],
    ['1,5', '15'],
    ['5.', '5.'],
    ['', ''],
  ])('decimal of %s: %s', (typed, left) => expect(decimal(typed)).toBe(left));

  it.each([
    ['-12', '-12'],
    ['1-2', '12'],
    ['--3', '-3'],
    ['-', '-'],
    ['4.5', '45'],
  ])('integer of %s: %s', (typed, left) => expect(integer(typed)).toBe(left));

  it.each([
    ['1,000.5', '1000.5'],
    ['-3', '3'],
    ['.05', '0.05'],
    ['1e9', '19'],
    ['12345678901234567', '123456789012345'],
    ['', ''],
  ])('the filter by amount makes %j %j', (typed, left) => expect(amountFilter(typed)).toBe(left));

  it.each([
    ['24', '24'],
    ['25', '24'],
    ['240', '24'],
    ['05', '5'],
    ['1.5', '15'],
    ['-3', '3'],
    ['', ''],
  ])('the filter by volume makes %j %j', (typed, left) => expect(volumeFilter(typed)).toBe(left));

  it.each([
    ['-', '-'],
    ['-100', '-100'],
    ['-101', '-100'],
    ['1000', '100'],
    ['007', '7'],
    ['-0', '0'],
    ['12.5', '100'],
    ['5-', '5'],
    ['', ''],
  ])('the filter by change makes %j %j', (typed, left) => expect(changeFilter(typed)).toBe(left));
});

describe('text', () => {
  it('cuts a chat title after 16 characters', () => {
    expect(shortTitle('Sixteen letters!')).toBe('Sixteen letters!');
    expect(shortTitle('Seventeen letters')).toBe('Seventeen letter..');
  });

  it('masks the local part of an address', () => {
    expect(maskEmail('ada@example.com')).toBe('***@example.com');
    expect(maskEmail('not an address')).toBe('not an address');
  });

  it('folds case and accents', () => expect(fold('Čárka ÉTHER')).toBe('carka ether'));

  it.each([
    ['Bitcoin', 'COIN', ['Bit', 'coin']],
    ['Éther', 'eth', ['Éth', 'er']],
    ['Éther', 'eth', ['Éth', 'er']],
    ['Bitcoin', 'x', ['Bitcoin']],
    ['Bitcoin', '  ', ['Bitcoin']],
    ['🐸 Pepe', 'pe', ['🐸 ', 'Pe', 'pe']],
    ['<b>', '<', ['<', 'b>']],
  ])('splits %s by %s', (text, query, parts) => expect(highlight(text, query).map((part) => part.text)).toEqual(parts));

  it('marks just the typed part', () =>
    expect(highlight('Bitcoin', 'tc')).toEqual([
      { text: 'Bi', match: false },
      { text: 'tc', match: true },
      { text: 'oin', match: false },
    ]));
});

describe('time', () => {
  it('counts down in minutes and seconds', () => expect([180, 61, 9, 0].map(formatCountdown)).toEqual(['3:00', '1:01', '0:09', '0:00']));

  it('knows a calendar day where the device is', () => {
    const evening = new Date(2026, 10, 21, 23, 59).getTime();
    expect(isSameDay(evening, new Date(2026, 10, 21, 0, 1).getTime())).toBe(true);
    expect(isSameDay(evening, evening + 120_000)).toBe(false);
  });
});
