import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { askHere, conversation } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

test('a chat is continued from an earlier answer by keyboard, and only with a connection', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson(), '/chat');
  const talk = conversation(page);
  const actions = talk.getByRole('button', { name: 'Continue from here', exact: true });
  await askHere(page, 'What is staking?');
  await expect(actions).toHaveCount(1);
  const first = page.url();
  await askHere(page, 'What is an ETF?');
  await expect(actions).toHaveCount(2);
  await expect(page.getByText('8 of 10 questions')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  await workerReady(page);
  await context.setOffline(true);
  await talk.getByRole('button', { name: 'Continue from here needs a connection' }).first().press('Enter');
  await expect(page.getByText('Continuing in a new chat needs a connection.')).toBeVisible();
  expect(page.url()).toBe(first);
  await context.setOffline(false);

  await actions.first().press('Enter');
  await expect(page).not.toHaveURL(first);
  await expect(page.getByRole('heading', { name: 'Staking, cont' })).toBeVisible();
  await expect(talk.getByText('What is staking?', { exact: true })).toBeVisible();
  await expect(talk.getByText('What is an ETF?', { exact: true })).toHaveCount(0);
  await expect(page.getByText('8 of 10 questions')).toBeVisible();
  await expect(talk).toBeFocused();
  await askHere(page, 'What is the price of Solana?');
  await expect(actions).toHaveCount(2);
  await expect(page.getByText('7 of 10 questions')).toBeVisible();

  await page.goto(first);
  await expect(talk.getByText('What is an ETF?', { exact: true })).toBeVisible();
  await expect(talk.getByText('What is the price of Solana?', { exact: true })).toHaveCount(0);
});

test('a narrow list cuts a long title but not its number, and the button shows that it waits', async ({ page, app }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 390, height: 844 });
  await signedIn(page, app, newPerson(), '/chat');
  const button = conversation(page).getByRole('button', { name: 'Continue from here', exact: true });
  await askHere(page, 'What is staking and how do validators earn from it over the years?');
  for (let copies = 1; copies <= 2; copies++) {
    const before = page.url();
    let go = () => {};
    const waited = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/continue', async (route) => {
      await waited;
      await route.continue();
    });
    await button.click();
    await expect(button).toHaveAttribute('aria-busy', 'true');
    await expect(button).toHaveCSS('opacity', '0.5');
    go();
    await expect(page).not.toHaveURL(before);
    await expect(button).toHaveCSS('opacity', '1');
    await page.unroute('**/continue');
  }
  await page.goto('/archive');
  const title = page.getByRole('link', { name: /\(2\)/ }).locator('> :first-child');
  await expect(title).toBeVisible();
  const isCut = await title.locator('> :first-child').evaluate((start) => start.scrollWidth > start.clientWidth);
  const isNumberInside = await title.evaluate((all) => {
    const number = document.createRange();
    number.selectNode(all.lastChild as Node);
    return number.getBoundingClientRect().right <= all.getBoundingClientRect().right + 1;
  });
  expect([isCut, isNumberInside]).toEqual([true, true]);
});
