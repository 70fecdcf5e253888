import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';

test('a notification of another sign-in arrives at once, is read offline, and is marked as read on the server later', async ({
  page,
  context,
  app,
}) => {
  const person = newPerson();
  await signedIn(page, app, person, '/settings/notification');
  await expect(page.getByText('No notifications here!')).toBeVisible();
  await workerReady(page);

  const login = await context.request.post('/api/auth/login/', { data: { email: person.email, password: person.password } });
  const { data: tokens } = await login.json();
  const rows = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('0 sec ago');
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.goto('/home');
  await expect(page.getByRole('link', { name: 'Notifications, 1 unread' })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  await context.setOffline(true);
  await page.goto('/settings/notification');
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByText('Unread:')).toHaveCount(0);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(page.getByText('Unread:')).toHaveCount(0);

  await page.goto('/home');
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();

  await context.setOffline(false);
  const { sub } = JSON.parse(Buffer.from(tokens.accessToken.split('.')[1], 'base64url').toString());
  const onServer = async () => {
    const answer = await context.request.get(`/api/notification/${sub}`, { headers: { authorization: `Bearer ${tokens.accessToken}` } });
    return (await answer.json()).data.map(({ read }: { read: boolean }) => read);
  };
  await expect.poll(onServer).toEqual([true]);
});
