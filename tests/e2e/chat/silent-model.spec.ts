import { expect } from '@playwright/test';
import { STAND_IN } from '#server/ports/analyst/with-stand-in.ts';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { askHere, conversation } from '#tests/support/chat/chat-page.ts';
import { hang, type Play, refuse, say } from '#tests/support/chat/openai.ts';
import { test } from '../fixtures.ts';

// No test here needs the service worker, which would fetch 60 files for each.
test.use({ serviceWorkers: 'block' });

const MARKUP = 'A model says: tides turn. <img src=x onerror="document.body.innerHTML=1"> [go](javascript:alert(1))';

const failures: { how: string; plays: Play[]; tag: string[] }[] = [
  { how: 'refuses twice', plays: [refuse(500), refuse(500)], tag: [] },
  // The server waits 10 s for a token, and asks no second time.
  { how: 'hangs', plays: [hang()], tag: ['@nightly'] },
];

for (const { how, plays, tag } of failures) {
  test(`when the model ${how}, the built-in analyst answers; the next answer is the model's, as plain text`, { tag }, async ({
    page,
    model,
    modelApp: app,
  }) => {
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', () => document.documentElement.setAttribute('data-violated', ''));
    });
    await signedIn(page, app, newPerson(), '/chat');

    model.requests.length = 0;
    model.plays = [...plays, say(MARKUP)];
    await askHere(page, 'What is Bitcoin?');
    await expect(page.getByText(STAND_IN)).toHaveCount(1, { timeout: 40_000 });
    await expect(page.getByText('9 of 10 questions')).toBeVisible();
    expect(model.requests).toHaveLength(plays.length);

    await askHere(page, 'And tides?');
    await expect(conversation(page).getByText('A model says: tides turn.')).toHaveCount(1);
    await expect(page.getByText('<img src=x', { exact: false })).toBeVisible();
    await expect(page.locator('a[href^="javascript"], main img[src="x"]')).toHaveCount(0);
    await expect(page.getByText('8 of 10 questions')).toBeVisible();
    await expect(page.getByText('Built-in analyst', { exact: true })).toHaveCount(0);
    expect(model.requests).toHaveLength(plays.length + 1);

    await page.reload();
    await expect(page.getByText(STAND_IN)).toHaveCount(1);
    await expect(page.getByText('A model says: tides turn.')).toHaveCount(1);
    await expect(page.locator('html[data-violated]')).toHaveCount(0);
  });
}
