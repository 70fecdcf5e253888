import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { composer, conversation } from '#tests/support/chat/chat-page.ts';
import { ARCHIVE, chatRow } from '#tests/support/chat/chat-rows.ts';
import { listChats } from '#tests/support/chat/listed-chats.ts';
import { test } from '../fixtures.ts';

test.use({ serviceWorkers: 'block' }); // a worker would fetch past `listChats`

const COUNT = 250;

test('a long chat opens at its end, and earlier messages load above without moving the reader', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson());
  const chats = Array.from({ length: COUNT }, (_, at) =>
    chatRow({ id: `6f1c2a52-95d5-4d0c-8a6f-${String(at).padStart(12, '0')}`, position: at + 1, user_message: `Question ${at + 1}` }),
  );
  await listChats(context, [{ id: ARCHIVE, archive_title: 'Long', created_at: '2026-01-01T00:00:00.000Z' }], chats);
  await page.goto(`/chat/archive/${ARCHIVE}`);
  const rows = conversation(page).locator('li[data-id]');
  await expect(rows).toHaveCount(100);
  await expect(conversation(page).getByText(`Question ${COUNT}`, { exact: true })).toBeInViewport();

  for (const shown of [200, COUNT]) {
    const reading = await conversation(page).evaluate((scroller) => {
      scroller.scrollTop = 0;
      const row = scroller.querySelector<HTMLElement>('li[data-id]');
      return { id: row?.dataset.id, top: row?.getBoundingClientRect().top ?? Number.NaN };
    });
    await expect(rows).toHaveCount(shown);
    const top = await conversation(page)
      .locator(`[data-id="${reading.id}"]`)
      .evaluate((row) => row.getBoundingClientRect().top);
    expect(Math.abs(top - reading.top)).toBeLessThan(60); // at most the height of the button above
  }
  await expect(page.getByRole('button', { name: 'Earlier messages' })).toHaveCount(0);
  await conversation(page).evaluate((scroller) => {
    scroller.scrollTop = 0;
  });
  await expect(conversation(page).getByText('Question 1', { exact: true })).toBeInViewport();

  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect(conversation(page).getByText(`Question ${COUNT}`, { exact: true })).toBeInViewport();
  await composer(page).fill('still quick');
  await expect(composer(page)).toHaveValue('still quick');
});
