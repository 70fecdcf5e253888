import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { isSigned, type Receiver, startReceiver } from '#tests/support/notifications/receiver.ts';
import { test as base } from '../fixtures.ts';

const test = base.extend<object, { receiver: Receiver }>({
  receiver: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from this pattern.
    async ({}, use) => {
      const receiver = await startReceiver();
      await use(receiver);
      await receiver.close();
    },
    { scope: 'worker' },
  ],
  settings: [async ({ receiver }, use) => use({ PRIVATE_TARGETS: receiver.url }), { scope: 'worker' }],
});

test('a user chooses what is sent and when, and gets a signed test message at their webhook', async ({ page, context, app, receiver }) => {
  await signedIn(page, app, newPerson(), '/settings/notification');
  await page.getByRole('link', { name: 'Notification settings' }).click();
  await expect(page.getByRole('heading', { name: 'Notification settings' })).toBeVisible();

  const alerts = page.getByRole('group', { name: 'Price alerts' });
  await alerts.getByLabel('E-mail').press('Space');
  await expect(alerts.getByLabel('E-mail')).toBeChecked();
  await page.getByRole('switch', { name: 'Quiet hours' }).press('Space');
  await page.getByLabel('From').fill('23:30');
  await page.getByLabel('To', { exact: true }).fill('06:45');
  await page.getByLabel('To', { exact: true }).blur();
  expect(await accessibilityProblems(page), 'settings').toEqual([]);

  await page.getByLabel('Address').fill('example.com');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByRole('alert')).toHaveText('Enter an address that begins with https://');
  // The device's own colors name no error and draw no shadow.
  await page.emulateMedia({ forcedColors: 'active' });
  const frameOf = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((field) => {
      const { borderStyle, outlineStyle } = getComputedStyle(field.parentElement ?? field);
      return { borderStyle, outlineStyle };
    });
  await page.getByLabel('Address').focus();
  expect(await frameOf('Address')).toEqual({ borderStyle: 'dashed', outlineStyle: 'solid' });
  expect(await frameOf('To')).toEqual({ borderStyle: 'solid', outlineStyle: 'none' });
  await page.emulateMedia({ forcedColors: 'none' });
  await page.getByLabel('Address').fill(`${receiver.url}/hook`);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByText('The receiver took the test message.')).toBeVisible();
  expect(receiver.received.map((one) => isSigned(one, secret))).toEqual([true]);
  receiver.answer = (_received, response) => void response.writeHead(500).end();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByText('The receiver answered 500')).toBeVisible();
  expect(await accessibilityProblems(page), 'webhook').toEqual([]);

  await page.reload();
  await expect(alerts.getByLabel('E-mail')).toBeChecked();
  await expect(alerts.getByLabel('Webhook')).toBeChecked();
  await expect(page.getByLabel('From')).toHaveValue('23:30');
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('06:45');
  await expect(page.getByRole('button', { name: 'Remove webhook' })).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);

  await context.setOffline(true);
  await expect(page.getByText('You can change these settings once you are online.')).toBeVisible();
  await expect(alerts.getByLabel('E-mail')).toBeDisabled();
  await context.setOffline(false);
  await expect(alerts.getByLabel('E-mail')).toBeEnabled();
  await page.getByRole('button', { name: 'Remove webhook' }).click();
  await expect(page.getByText('The webhook is removed.')).toBeVisible();
  await expect(alerts.getByLabel('Webhook')).toHaveCount(0);
});
