import { describe, expect, it } from 'vitest';
import type { PlanType } from '#contract/plan-types.ts';
import { defaultSelection, downgradeAnchor, planFeatures, pricingButtons, upgradeAnchor } from '#domain/plans/pricing.ts';

/** Current plan, selected plan, and the buttons as `label anchor`. */
const BUTTONS: [PlanType, PlanType, string[]][] = [
  ['FREE', 'FREE', []],
  ['FREE', 'BASIC', ['Buy Now 14.99 #basic']],
  ['FREE', 'PRO', ['Buy Now 24.99 #pro']],
  ['FREE', 'PREMIUM', ['Buy Now 49.99 #premium']],
  ['BASIC', 'FREE', []],
  ['BASIC', 'BASIC', ['Downgrade #free', 'Cancel Subscription #cancel']],
  ['BASIC', 'PRO', ['Upgrade #pro', 'Cancel Subscription #cancel']],
  ['BASIC', 'PREMIUM', ['Upgrade #premium', 'Cancel Subscription #cancel']],
  ['PRO', 'FREE', []],
  ['PRO', 'BASIC', ['Downgrade #basic', 'Cancel Subscription #cancel']],
  ['PRO', 'PRO', ['Downgrade #basic', 'Cancel Subscription #cancel']],
  ['PRO', 'PREMIUM', ['Upgrade #premium', 'Cancel Subscription #cancel']],
  ['PREMIUM', 'FREE', []],
  ['PREMIUM', 'BASIC', ['Downgrade #basic', 'Cancel Subscription #cancel']],
  ['PREMIUM', 'PRO', ['Downgrade #pro', 'Cancel Subscription #cancel']],
  ['PREMIUM', 'PREMIUM', ['Downgrade #pro', 'Cancel Subscription #cancel']],
];

it.each(BUTTONS)('with %s and %s selected, the buttons are %j', (current, selected, buttons) => {
  expect(pricingButtons(current, selected).map(({ label, price, anchor }) => [label, price, anchor].filter(Boolean).join(' '))).toEqual(
    buttons,
  );
});

describe('anchors to the letter', () => {
  it.each([
    ['FREE', '#free'],
    ['BASIC', '#pro'],
    ['PRO', '#pro'],
    ['PREMIUM', '#premium'],
  ] as const)('upgrade from a %s selection leads to %s', (selected, anchor) => {
    expect(upgradeAnchor(selected)).toBe(anchor);
  });

  it.each([
    ['FREE', 'FREE', '#free'],
    ['FREE', 'PREMIUM', '#free'],
    ['PRO', 'PREMIUM', '#free'],
    ['BASIC', 'PRO', '#pro'],
    ['PREMIUM', 'FREE', '#free'],
  ] as const)('downgrade with %s current and %s selected leads to %s', (current, selected, anchor) => {
    expect(downgradeAnchor(current, selected)).toBe(anchor);
  });
});

it.each([
  ['FREE', 'PRO'],
  ['BASIC', 'PRO'],
  ['PRO', 'PREMIUM'],
  ['PREMIUM', 'PREMIUM'],
  [undefined, 'PRO'],
] as const)('with %s current, %s is selected at first', (current, selected) => {
  expect(defaultSelection(current)).toBe(selected);
});

it('features describe each plan', () => {
  expect(planFeatures('FREE')).toEqual([
    'Basic chatbot only',
    'Up to 10 general questions and 3 chart analysis',
    'Trading bot for 30 days (new users)',
  ]);
  expect(planFeatures('BASIC')[0]).toBe('Text-based analysis and limited chart analysis');
  expect(planFeatures('PRO')[0]).toBe('Same access as Basic');
  expect(planFeatures('PREMIUM')).toEqual([
    'Unlimited chart analysis',
    'Unlimited general questions',
    'Unlimited trading bot',
    'Priority support',
  ]);
});

it('features name the limits of the plan table', () => {
  expect(planFeatures('FREE')).toContain('Up to 10 general questions and 3 chart analysis');
  expect(planFeatures('BASIC')).toContain('Up to 20 chart analysis and 30 general questions');
  expect(planFeatures('PRO')).toContain('Up to 40 chart analysis and 100 general questions');
  expect(planFeatures('PREMIUM')).toContain('Unlimited trading bot');
});
