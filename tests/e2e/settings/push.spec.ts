import { expect, type Page } from '@playwright/test';
import { openAs, register, signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { dropWorkerTimers } from '#tests/support/browser/held-timers.ts';
import { newPerson, type Person } from '#tests/support/browser/main-path.ts';
import { workerOf, workerReady } from '#tests/support/browser/worker-ready.ts';
import type { RunningApp } from '#tests/support/processes/app.ts';
import { fakePushManager, hasSubscription, pushDelivery, shownNotifications } from '#tests/support/push/fake-push-manager.ts';
import { startPushService } from '#tests/support/push/push-service.ts';
import { test as base } from '../fixtures.ts';
import { startTestedApp } from '../start-tested-app.ts';

const SETTINGS = '/settings/notification/settings';
/** How long the worker reads the session before it shows a message without its text, ms (sw/push.ts). */
const READ_LIMIT = 1_000;

const test = base.extend<{ service: Awaited<ReturnType<typeof startPushService>>; pushApp: RunningApp }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from this pattern.
  service: async ({}, use) => {
    const service = await startPushService();
    await use(service);
    await service.close();
  },
  pushApp: async ({ service }, use) => {
    const app = await startTestedApp({ PRIVATE_TARGETS: service.origin });
    await use(app);
    await app.remove();
  },
});

/** Logs out on the account page. */
async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
}

/** Dispatches the click that Chromium would, in the worker. */
const CLICK = `self.registration.getNotifications().then((shown) => {
  const notification = shown.find(({ title }) => title.startsWith('Security'));
  self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
})`;

/** Signs a person in elsewhere, which notifies them. */
async function signInElsewhere(app: RunningApp, { email, password }: Person): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${app.url}/api/auth/login/`, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
}

test('a device is turned on, shows a message, opens its link, and ends with the sign-out', async ({
  page,
  context,
  pushApp: app,
  service,
}) => {
  const browser = service.subscribe();
  await fakePushManager(context, browser);
  const person = newPerson();
  await signedIn(page, app, person, SETTINGS);
  await workerReady(page);
  const device = page.getByRole('region', { name: 'Notifications on this device' });
  await expect(device).toContainText('Others who see your screen can read it');
  expect(await accessibilityProblems(page)).toEqual([]);
  await device.getByRole('button', { name: 'Turn on' }).press('Enter');
  await expect(device).toContainText('This device shows your notifications');
  await page.reload();
  await expect(device.getByRole('button', { name: 'Turn off' })).toBeVisible();

  await dropWorkerTimers(context, READ_LIMIT);
  const deliver = await pushDelivery(page);
  await signInElsewhere(app, person);
  await expect.poll(() => browser.received()).toHaveLength(1);
  expect(service.faults).toEqual([]);
  const [message = ''] = browser.received();
  await deliver(message);
  expect(await shownNotifications(page)).toEqual([expect.stringContaining('Security · Tidemark: A new device signed in')]);
  await deliver(message);
  await deliver('not what the server sends');
  expect(await shownNotifications(page)).toHaveLength(2);

  await (await workerOf(context)).evaluate(CLICK);
  await page.waitForURL('**/settings/devices');

  await page.goto(`${app.url}/settings/account`);
  await leave(page);
  await expect.poll(() => hasSubscription(page)).toBe(false);
  await signInElsewhere(app, person);
  const bob = newPerson('Bob');
  await register(app, bob);
  await openAs(page, app, bob, SETTINGS);
  await expect(device.getByRole('button', { name: 'Turn on' })).toBeVisible();
  await deliver(message);
  expect(await shownNotifications(page)).toEqual(['Tidemark: Open the app to see what is new.']);
  expect(browser.asked()).toBe(1);
});

test('a sign-out without a connection ends the messages at once', async ({ page, context, pushApp: app, service }) => {
  await fakePushManager(context, service.subscribe());
  await signedIn(page, app, newPerson(), SETTINGS);
  await workerReady(page);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible();
  await page.goto(`${app.url}/settings/account`);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await context.setOffline(true);
  await leave(page);
  await expect.poll(() => hasSubscription(page)).toBe(false);
});

test('a browser that refuses says how to allow notifications', async ({ page, app, reader }) => {
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }));
  await openAs(page, app, reader, SETTINGS);
  const device = page.getByRole('region', { name: 'Notifications on this device' });
  await expect(device.getByRole('listitem')).toHaveText([/site settings/, 'Allow notifications.', 'Come back here.']);
});

test('an iPhone without the app on its home screen gets the steps', async ({ page, app, reader }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'standalone', { value: false });
    Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 });
  });
  await openAs(page, app, reader, SETTINGS);
  await expect(page.getByText('Choose Add to Home Screen.')).toBeVisible();
});

test('a browser without push messages says so', async ({ page, app, reader }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'));
  await openAs(page, app, reader, SETTINGS);
  await expect(page.getByText('This browser cannot show notifications.')).toBeVisible();
});
