import { expect, type Page } from '@playwright/test';
import { PLAN_TYPES, type PlanType } from '#contract/plan-types.ts';
import { PRODUCTS } from '#contract/subscription.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { pricingButtons } from '#domain/plans/pricing.ts';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';

const card = (page: Page, plan: PlanType) => page.getByRole('radio', { name: new RegExp(`^${PLANS[plan].name}\\b`) });
const region = (page: Page) => page.getByRole('region', { name: / includes$/ });
const sheet = (page: Page) => page.getByRole('dialog');
const products = Object.entries(PRODUCTS);

/** Expects the buttons and addresses of `domain/pricing` for each selected plan. */
async function expectSelections(page: Page, current: PlanType) {
  await expect(card(page, current)).toHaveAccessibleName(/Current Plan$/);
  await expect(page.getByText('Most Popular')).toHaveCount(current === 'PRO' ? 0 : 1);
  for (const selected of PLAN_TYPES) {
    await card(page, selected).check();
    const expected = pricingButtons(current, selected);
    const links = region(page).getByRole('link');
    await expect(links).toHaveText(expected.map(({ label, price }) => (price === undefined ? label : `${label} $${price}`)));
    for (const [place, { anchor }] of expected.entries()) await expect(links.nth(place)).toHaveAttribute('href', `/pricing${anchor}`);
  }
}

test('a user buys, declines, lowers, cancels and renews plans, with the right buttons for each pair', async ({ page, app }) => {
  await signedIn(page, app, newPerson(), '/settings/manage-subscription');
  await expect(page.getByText("This plan isn't auto renewable")).toBeVisible();
  await expect(page.getByText('0 of 10 used')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Change Subscription' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Order Pricing Plan' })).toBeVisible();
  await expect(card(page, 'PRO')).toBeChecked();
  expect(await accessibilityProblems(page)).toEqual([]);

  // A declined payment changes nothing and says why.
  await card(page, 'PRO').press('ArrowLeft');
  await expect(card(page, 'BASIC')).toBeChecked();
  await region(page).getByRole('link', { name: 'Buy Now $14.99' }).press('Enter');
  await expect(page).toHaveURL('/pricing#basic');
  await expect(sheet(page).getByText('Test store · no money moves')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await sheet(page).getByRole('button', { name: 'Decline' }).click();
  await expect(sheet(page).getByRole('alert')).toContainText('You stay on Free');
  await page.goBack();
  await expect(sheet(page)).toHaveCount(0);
  await expect(page).toHaveURL('/pricing');

  // Upgrade from plan to plan.
  for (const [index, current] of PLAN_TYPES.entries()) {
    await expectSelections(page, current);
    const [, next] = products[index] ?? [];
    if (!next) break;
    await card(page, next).check();
    await region(page)
      .getByRole('link', { name: current === 'FREE' ? /^Buy Now/ : 'Upgrade' })
      .click();
    await sheet(page)
      .getByRole('button', { name: /^Pay \$/ })
      .dblclick();
    await expect(page.getByRole('status').filter({ hasText: `You are on ${PLANS[next].name}.` })).toBeVisible();
    await expect(page).toHaveURL('/pricing');
  }

  // A downgrade starts with the next period.
  await card(page, 'BASIC').check();
  await region(page).getByRole('link', { name: 'Downgrade' }).click();
  await expect(page).toHaveURL('/pricing#basic');
  await sheet(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Basic comes next.')).toBeVisible();
  await expect(page.getByText(/^Premium until .*, then Basic\.$/)).toBeVisible();
  await expect(card(page, 'PREMIUM')).toHaveAccessibleName(/Current Plan$/);
  await region(page).getByRole('link', { name: 'Cancel Subscription' }).click();
  await expect(sheet(page).getByRole('button', { name: 'Renew now' })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await sheet(page).getByRole('button', { name: 'Renew now' }).click();
  await expect(card(page, 'BASIC')).toHaveAccessibleName(/Current Plan$/);

  // A canceled plan stays until its period ends.
  await region(page).getByRole('link', { name: 'Cancel Subscription' }).click();
  await expect(page).toHaveURL('/pricing#cancel');
  await sheet(page).getByRole('button', { name: 'Cancel renewal' }).click();
  await expect(page.getByText('The subscription ends with the period that is paid for.')).toBeVisible();
  await expect(card(page, 'BASIC')).toHaveAccessibleName(/Current Plan$/);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL('/settings/manage-subscription');
  await expect(page.getByText(/^Basic until .*, then Free\.$/)).toBeVisible();
  await expect(page.getByText("This plan isn't auto renewable")).toBeVisible();

  // Offline, plans are readable and the buttons say why they are disabled.
  await workerReady(page);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText(/^Basic until .*, then Free\.$/)).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Change Subscription' }).click();
  const refused = region(page).getByRole('button', { name: 'Upgrade' });
  await expect(refused).toHaveAttribute('aria-disabled', 'true');
  await expect(refused).toHaveAccessibleDescription('You can change plans once you are online. Nothing is queued.');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.context().setOffline(false);

  // An expired plan becomes Free. The user can restore purchases at any time.
  await page.goto('/pricing#cancel');
  await sheet(page).getByRole('button', { name: 'Expire now' }).click();
  await expect(card(page, 'FREE')).toHaveAccessibleName(/Current Plan$/);
  await page.getByRole('button', { name: 'Restore purchases' }).click();
  await expect(page.getByText('You are on Free.')).toBeVisible();
});
