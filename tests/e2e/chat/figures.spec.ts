import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { askHere, conversation } from '#tests/support/chat/chat-page.ts';
import { callTools, say } from '#tests/support/chat/openai.ts';
import { test } from '../fixtures.ts';

// No test here needs the service worker, which would fetch 60 files for each.
test.use({ serviceWorkers: 'block' });

test('a user taps a number, sees where it comes from, and checks it now, also by keyboard', async ({ page, app, context }) => {
  await signedIn(page, app, newPerson(), '/chat');
  await askHere(page, 'How is bitcoin?');
  const price = conversation(page)
    .getByRole('button', { name: /^\$[\d,.]+$/ })
    .first();
  await price.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Price of Bitcoin (BTC)' });
  await expect(sheet).toContainText('US dollars');
  await expect(sheet).toContainText('Market figures');
  expect(await accessibilityProblems(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Check now' }).press('Enter');
  await expect(sheet.getByRole('status')).toContainText('Difference');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(price).toBeFocused();

  await context.setOffline(true);
  await price.click();
  await sheet.getByRole('button', { name: 'Check now' }).click();
  await expect(sheet.getByRole('status')).toContainText(/No connection|You are offline/);
  await context.setOffline(false);
  await sheet.getByRole('button', { name: 'Check now' }).click();
  await expect(sheet.getByRole('status')).toContainText('Difference');
});

test('the figures of a language model come from the tools that it called', async ({ page, modelApp: app, model }) => {
  await signedIn(page, app, newPerson(), '/chat');
  model.plays = [
    callTools({ name: 'get_quotes', arguments: { coins: ['BTC'] } }),
    (response, request) => {
      const told = JSON.parse(String(request.body.messages.at(-1)?.content));
      say(`Bitcoin is at $${Math.round(told.data[0].usd.price).toLocaleString('en-US')}.`)(response, request);
    },
  ];
  await askHere(page, 'And bitcoin?');
  await conversation(page)
    .getByRole('button', { name: /^\$[\d,]+$/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'Price of Bitcoin (BTC)' })).toContainText('In full');
});
