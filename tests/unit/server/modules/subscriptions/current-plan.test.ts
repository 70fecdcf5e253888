import { expect, test } from 'vitest';
import { DAY } from '#domain/clock.ts';
import { isDue, planAt, termsAt } from '#server/modules/subscriptions/current-plan.ts';

const END = Date.UTC(2026, 2, 5);
const row = { plan: 'PRO', endsAt: new Date(END), renews: true, nextPlan: null } as const;
const endDate = '2026-03-05T00:00:00.000Z';
const free = { activeAutoRenewal: false, endDate: null, nextPlan: null };

test('is the Free plan without an end if nothing is paid', () => {
  expect(planAt(undefined, END)).toBe('FREE');
  expect(termsAt(undefined, END)).toEqual(free);
  expect(isDue(undefined, END)).toBe(false);
});

test('a renewing plan stays active for a day past its end, while the server asks the store', () => {
  expect([END - 1, END, END + DAY - 1, END + DAY].map((now) => planAt(row, now))).toEqual(['PRO', 'PRO', 'PRO', 'FREE']);
  expect([END - 1, END].map((now) => isDue(row, now))).toEqual([false, true]);
  expect(termsAt(row, END)).toEqual({ activeAutoRenewal: true, endDate, nextPlan: null });
  expect(termsAt(row, END + DAY)).toEqual(free);
});

test('a downgrade takes effect at the end', () => {
  const lowered = { ...row, nextPlan: 'BASIC' } as const;
  expect([END - 1, END].map((now) => planAt(lowered, now))).toEqual(['PRO', 'BASIC']);
  expect([END - 1, END].map((now) => termsAt(lowered, now).nextPlan)).toEqual(['BASIC', null]);
});

test('a canceled plan is active until exactly its end', () => {
  const cancelled = { ...row, renews: false };
  expect([END - 1, END].map((now) => planAt(cancelled, now))).toEqual(['PRO', 'FREE']);
  expect(termsAt(cancelled, END - 1)).toEqual({ activeAutoRenewal: false, endDate, nextPlan: 'FREE' });
  expect(isDue(cancelled, END)).toBe(false);
});
