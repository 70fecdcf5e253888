import { expect, type Page } from '@playwright/test';
import corpus from '#tests/fixtures/xss.json' with { type: 'json' };
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { askHere, conversation } from '#tests/support/chat/chat-page.ts';
import { ARCHIVE, chatRow } from '#tests/support/chat/chat-rows.ts';
import { listChats } from '#tests/support/chat/listed-chats.ts';
import { say } from '#tests/support/chat/openai.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { test } from '../fixtures.ts';
import { DESKTOP, PHONE } from '../sizes.ts';

test.use({ serviceWorkers: 'block' }); // a worker would fetch past `listChats`

/** Collects every effect that a payload could have, one line each. */
async function watchFor(page: Page): Promise<string[]> {
  const damage: string[] = [];
  await page.exposeFunction('xss', () => void damage.push('a script ran'));
  await page.exposeFunction('tellViolation', (what: string) => void damage.push(what));
  await page.addInitScript(() => {
    const { tellViolation } = window as unknown as { tellViolation: (what: string) => void };
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      tellViolation(`${violatedDirective} ${blockedURI} ${sample}`),
    );
  });
  page.on('dialog', (dialog) => {
    damage.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (/evil\.test|\.gif$/.test(request.url())) damage.push(`request ${request.url()}`);
  });
  page.on('popup', (popup) => damage.push(`window ${popup.url()}`));
  return damage;
}

test('hostile questions, answers, errors and titles run no script and load nothing', async ({ page, context, app }) => {
  const damage = await watchFor(page);
  await signedIn(page, app, newPerson());
  const now = new Date().toISOString();
  const id = (at: number) => `6f1c2a52-95d5-4d0c-8a6f-${String(at).padStart(12, '0')}`;
  const chats = corpus.map(({ text }, at) =>
    chatRow({ id: id(at), position: at + 1, user_message: text, ai_response: text, failed: at % 7 === 0 }),
  );
  const archives = corpus.map(({ text }, at) => ({ id: at === 0 ? ARCHIVE : id(at), archive_title: text, created_at: now }));
  await listChats(context, archives, chats);

  for (const size of isNightly ? [PHONE, DESKTOP] : [PHONE]) {
    await page.setViewportSize(size.viewport);
    await page.goto('/archive');
    await expect(page.getByRole('main').locator('a[href^="/chat/archive/"]')).toHaveCount(corpus.length);
    await page.goto(`/chat/archive/${ARCHIVE}`);
    await expect(conversation(page).getByRole('listitem').filter({ hasText: 'Tidemark' })).not.toHaveCount(0);
    await expect(conversation(page).locator('li[data-id]')).toHaveCount(corpus.length);
    await page.getByRole('button', { name: 'Edit title' }).click();
    const sidebar = page.getByRole('dialog', { name: 'Chats' });
    await expect(sidebar.getByRole('listitem')).toHaveCount(corpus.length);
    await sidebar
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByRole('dialog', { name: 'Delete chat' })).toContainText(corpus[0]?.text ?? '');
    await page.goto('/home');
    await expect(page.locator('a[href^="/chat/archive/"]')).toHaveCount(6);
  }
  expect(damage).toEqual([]);
});

test('hostile questions, answers and names stay harmless after a trip through the server', { tag: '@nightly' }, async ({
  page,
  model,
  modelApp: app,
}) => {
  const texts = corpus.filter(({ name }) => /^(picture that fails|svg that loads|link with a script|table with markup)$/.test(name));
  const damage = await watchFor(page);
  await signedIn(page, app, { ...newPerson(), firstName: '<b>Ada</b>' }, '/chat');
  for (const { text } of texts) {
    model.plays = [say(text)];
    await askHere(page, text);
    await expect(page.getByRole('button', { name: 'Copy answer' })).toHaveCount(texts.findIndex((each) => each.text === text) + 1, {
      timeout: 30_000,
    });
  }
  await page.reload();
  await expect(page.getByRole('button', { name: 'Copy answer' })).toHaveCount(texts.length);
  await page.goto(`${app.url}/archive`);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('<img src=x onerror=xss()>');
  await title.press('Enter');
  const row = page.getByRole('link', { name: '<img src=x onerror=xss()>' });
  await expect(row).toBeVisible();
  await page.reload();
  await expect(row).toBeVisible();
  expect(damage).toEqual([]);
});
