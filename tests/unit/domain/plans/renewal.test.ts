import { expect, it } from 'vitest';
import type { Subscription } from '#contract/subscription.ts';
import { formatDay, nextLine, renewalLine } from '#domain/plans/renewal.ts';

const of = (change: Partial<Subscription>): Subscription => ({
  planType: 'PRO',
  extraChatAnalysis: 40,
  activeAutoRenewal: true,
  endDate: '2025-03-05T23:59:59.000Z',
  ...change,
});

it.each([
  ['2025-03-05T23:59:59.000Z', '5th Mar 2025'],
  ['2025-01-01T00:00:00.000Z', '1st Jan 2025'],
  ['2025-02-02T00:00:00.000Z', '2nd Feb 2025'],
  ['2025-04-03T00:00:00.000Z', '3rd Apr 2025'],
  ['2025-05-11T00:00:00.000Z', '11th May 2025'],
  ['2025-06-12T00:00:00.000Z', '12th Jun 2025'],
  ['2025-07-13T00:00:00.000Z', '13th Jul 2025'],
  ['2025-08-21T00:00:00.000Z', '21st Aug 2025'],
  ['2025-09-22T00:00:00.000Z', '22nd Sep 2025'],
  ['2025-10-23T00:00:00.000Z', '23rd Oct 2025'],
  ['2025-11-30T00:00:00.000Z', '30th Nov 2025'],
  ['2025-12-31T00:00:00.000Z', '31st Dec 2025'],
])('%s is the %s', (time, day) => expect(formatDay(time)).toBe(day));

it('shows whether the plan renews, and a different next plan', () => {
  expect(renewalLine(of({}))).toBe('Plan renew at 5th Mar 2025');
  expect(renewalLine(of({ activeAutoRenewal: false }))).toBe("This plan isn't auto renewable");
  expect(renewalLine(of({ planType: 'FREE', activeAutoRenewal: false, endDate: null }))).toBe("This plan isn't auto renewable");
  expect(nextLine(of({}))).toBeUndefined();
  expect(nextLine(of({ nextPlan: 'BASIC' }))).toBe('Pro until 5th Mar 2025, then Basic.');
  expect(nextLine(of({ activeAutoRenewal: false }))).toBe('Pro until 5th Mar 2025, then Free.');
  expect(nextLine(of({ planType: 'FREE', activeAutoRenewal: false, endDate: null }))).toBeUndefined();
});
