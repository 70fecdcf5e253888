import { expect, test } from '@playwright/test';
import { STAND_IN } from '#server/ports/analyst/with-stand-in.ts';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { hang, type ModelServer, say, startModelServer } from '#tests/support/chat/openai.ts';
import { type RunningApp, startApp } from '#tests/support/processes/app.ts';

let model: ModelServer;
let app: RunningApp;
test.beforeAll(async () => {
  model = await startModelServer();
  app = await startApp({ AI_BASE_URL: model.url, AI_API_KEY: 'key-of-the-model', AI_MODEL: 'test-model' });
});
test.afterAll(async () => {
  await app.remove();
  await model.close();
});

test('a model that is silent twice is stood in for, once, and answers the next question; what it says is only text', async ({ page }) => {
  test.slow();
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', () => document.documentElement.setAttribute('data-violated', ''));
  });
  await signedIn(page, app, { firstName: 'Ada', lastName: 'King', email: 'model@example.com', password: 'Tide123!' });
  await page.goto(`${app.url}/chat`);
  const ask = async (question: string) => {
    await page.getByRole('textbox').last().fill(question);
    await page.keyboard.press('Enter');
  };
  const whole = async () => {
    const all = page.getByRole('button', { name: 'Show all' });
    await all.click({ timeout: 60_000 });
    await expect(all).toHaveCount(0);
  };

  // Both tries of the first question hang until they are given up.
  model.plays = [
    hang(),
    hang(),
    say('A model says: tides turn. <img src=x onerror="document.body.innerHTML=1"> [go](javascript:alert(1))'),
  ];
  await ask('What is Bitcoin?');
  await page.waitForURL('**/chat/archive/*');
  await whole();
  await expect(page.getByText(STAND_IN)).toHaveCount(1);
  await expect(page.getByText('9 of 10 questions')).toBeVisible();
  expect(model.requests).toHaveLength(2);

  await ask('And tides?');
  await whole();
  await expect(page.getByText('A model says: tides turn.')).toHaveCount(1);
  await expect(page.getByText('<img src=x', { exact: false })).toBeVisible();
  await expect(page.locator('a[href^="javascript"], main img[src="x"]')).toHaveCount(0);
  await expect(page.getByText('8 of 10 questions')).toBeVisible();
  await expect(page.getByText('Built-in analyst', { exact: true })).toHaveCount(0);
  expect(model.requests).toHaveLength(3);

  await page.reload();
  await expect(page.getByText(STAND_IN)).toHaveCount(1);
  await expect(page.getByText('A model says: tides turn.')).toHaveCount(1);
  await expect(page.locator('html[data-violated]')).toHaveCount(0);
});
