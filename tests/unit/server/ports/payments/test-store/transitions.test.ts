import { describe, expect, test } from 'vitest';
import type { StoreState } from '#server/ports/payments/payments.ts';
import { carriedOn, changed, monthAfter, purchased } from '#server/ports/payments/test-store/transitions.ts';

const day = (text: string) => Date.parse(`${text}T12:00:00Z`);
const NOW = day('2026-03-10');
const pro: StoreState = { product: 'pro_monthly', endsAt: day('2026-04-05'), renews: true, nextProduct: null };

test.each([
  ['2026-03-05', '2026-04-05'],
  ['2026-01-31', '2026-02-28'],
  ['2028-01-31', '2028-02-29'],
  ['2026-12-15', '2027-01-15'],
])('one month after %s is %s', (from, to) => expect(monthAfter(day(from))).toBe(day(to)));

describe('a purchase', () => {
  test('starts at once for a new customer, and for one whose period has ended', () => {
    const begun = { product: 'basic_monthly', endsAt: day('2026-04-10'), renews: true, nextProduct: null };
    expect(purchased(null, 'basic_monthly', NOW)).toEqual(begun);
    expect(purchased({ ...pro, endsAt: NOW, renews: false }, 'basic_monthly', NOW)).toEqual(begun);
  });

  test('of a higher plan starts at once and drops a scheduled downgrade', () => {
    const held: StoreState = { ...pro, nextProduct: 'basic_monthly' };
    expect(purchased(held, 'premium_monthly', NOW)).toEqual({
      product: 'premium_monthly',
      endsAt: day('2026-04-10'),
      renews: true,
      nextProduct: null,
    });
  });

  test('of a lower plan waits for the end of the period', () => {
    expect(purchased(pro, 'basic_monthly', NOW)).toEqual({ ...pro, nextProduct: 'basic_monthly' });
  });

  test('of the same plan undoes a cancellation or downgrade, and adds no second period', () => {
    expect(purchased({ ...pro, renews: false }, 'pro_monthly', NOW)).toEqual(pro);
    expect(purchased({ ...pro, nextProduct: 'basic_monthly' }, 'pro_monthly', NOW)).toEqual(pro);
  });
});

describe('over time', () => {
  test('periods renew, and a lower plan takes over', () => {
    const held: StoreState = { ...pro, nextProduct: 'basic_monthly' };
    expect(carriedOn(held, pro.endsAt - 1)).toEqual(held);
    const next = { product: 'basic_monthly', endsAt: day('2026-05-05'), renews: true, nextProduct: null };
    expect(carriedOn(held, pro.endsAt)).toEqual(next);
    expect(carriedOn(held, day('2026-07-01'))).toEqual({ ...next, endsAt: day('2026-07-05') });
  });

  test('a canceled period ends without renewal', () => {
    const held = { ...pro, renews: false };
    expect(carriedOn(held, day('2027-01-01'))).toEqual(held);
  });
});

describe('a change', () => {
  test('cancels, resumes, renews and ends', () => {
    const held: StoreState = { ...pro, nextProduct: 'basic_monthly' };
    expect(changed(held, 'cancel', NOW)).toEqual({ ...pro, renews: false });
    expect(changed({ ...pro, renews: false }, 'resume', NOW)).toEqual(pro);
    expect(changed(held, 'renew', NOW)).toEqual({ ...pro, product: 'basic_monthly', endsAt: day('2026-05-05') });
    expect(changed(held, 'expire', NOW)).toEqual({ ...pro, endsAt: NOW, renews: false });
  });

  test('needs an active period, and a renewal needs one that is not canceled', () => {
    expect(changed(null, 'resume', NOW)).toBeNull();
    expect(changed({ ...pro, endsAt: NOW }, 'resume', NOW)).toBeNull();
    expect(changed({ ...pro, renews: false }, 'renew', NOW)).toBeNull();
  });
});
