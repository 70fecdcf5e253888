import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { askHere, composer, conversation } from '#tests/support/chat/chat-page.ts';
import { drone, say } from '#tests/support/chat/openai.ts';
import { test } from '../fixtures.ts';

// No test here needs the service worker, which would fetch 60 files for each.
test.use({ serviceWorkers: 'block' });

test('a user copies, rates, repeats and stops answers; an edited question keeps its place', async ({
  page,
  context,
  model,
  modelApp: app,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url });
  const questions = () => conversation(page).locator('li[data-id] > p:not([role])').allInnerTexts();
  const copy = page.getByRole('button', { name: 'Copy answer' });
  await signedIn(page, app, newPerson(), '/chat');
  await expect(composer(page)).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  model.plays = [say('Staking **locks** coins.')];
  await askHere(page, 'What is staking?');
  await expect(copy).toHaveCount(1);
  await copy.press('Enter');
  await expect(page.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Staking **locks** coins.');

  const good = page.getByRole('button', { name: 'Good answer' });
  const rated = page.waitForResponse((response) => response.url().endsWith('/rating') && response.ok());
  await good.press('Enter');
  await expect(good).toHaveAttribute('aria-pressed', 'true');
  await rated;
  await page.reload();
  await expect(good).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('button', { name: 'Bad answer' })).toHaveAttribute('aria-pressed', 'false');

  model.plays = [drone];
  model.requests.length = 0;
  await askHere(page, 'What is a wallet?');
  await expect(page.getByRole('status').filter({ hasText: 'Tidemark is answering' })).toHaveCount(1);
  await expect.poll(() => model.requests.length, { message: 'the model is asked' }).toBe(1);
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await expect(page.getByText('Stopped. This question counts because its answer had started.')).toBeVisible();
  await expect(page.getByText('8 of 10 questions')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  model.plays = [say('A wallet keeps keys.')];
  await page.getByRole('button', { name: 'Ask again' }).click();
  await expect(copy).toHaveCount(2);
  await expect(page.getByRole('status').filter({ hasText: 'Answer ready' })).toHaveCount(1);

  await page.getByRole('button', { name: 'Edit message' }).first().press('Enter');
  await expect(page.getByText('Editing Message')).toBeVisible();
  await expect(composer(page)).toHaveValue('What is staking?');
  await composer(page).fill('What is liquid staking?');
  model.plays = [say('It hands out a token meanwhile.')];
  await composer(page).press('Enter');
  await expect(conversation(page)).toContainText('It hands out a token meanwhile.');
  await expect(copy).toHaveCount(2);
  expect(await questions()).toEqual(['What is liquid staking?', 'What is a wallet?']);
  await expect(good.first()).toHaveAttribute('aria-pressed', 'false'); // the rating belonged to the replaced answer

  model.plays = [say('A wallet signs what its keys allow.')];
  await page.getByRole('button', { name: 'Ask for another answer' }).last().press('Enter');
  await expect(conversation(page)).toContainText('A wallet signs what its keys allow.');
  await expect(conversation(page)).not.toContainText('A wallet keeps keys.');
  await page.reload();
  await expect(copy).toHaveCount(2);
  expect(await questions()).toEqual(['What is liquid staking?', 'What is a wallet?']);
});
