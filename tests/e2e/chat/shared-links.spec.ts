import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { askHere, conversation } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

/** Opens the list as the server has it: a title that comes later draws the image of its chat again. */
async function openArchive(page: Page) {
  await page.goto('/archive');
  await expect(page.getByText(/^Updated /).first()).toBeVisible();
}

/** Opens the dialog of the only chat in the list by keyboard. */
async function openDialog(page: Page) {
  await page.getByRole('button', { name: /^Actions for/ }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await page.getByRole('menuitem', { name: 'Share…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share chat' });
  await expect(dialog).toBeVisible();
  return dialog;
}

test('a chat is shared by a link, read by a visitor, and ended', async ({ page, context, browser, app }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const person = newPerson('Quetzalia');
  await signedIn(page, app, person, '/chat');
  await askHere(page, 'What is the price of Bitcoin?');
  await expect(conversation(page)).toContainText('Data:');
  await page.goto('/archive');
  const dialog = await openDialog(page);
  await expect(dialog.getByText(/the question and its answer up to now/)).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter');
  await expect(dialog.getByText('The link is ready.')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy link' }).press('Enter');
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toMatch(new RegExp(`^${app.url}/shared#[\\w-]{43}$`));
  const token = address.split('#')[1] ?? '';

  const visits = await browser.newContext();
  const visitor = await visits.newPage();
  const addresses: string[] = [];
  visitor.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''));
  await visitor.goto(address);
  await expect(visitor.getByText('What is the price of Bitcoin?').last()).toBeVisible();
  await expect(visitor.getByText(/Not financial advice/).last()).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'Try Tidemark' })).toBeVisible();
  await visitor.locator('[data-figure]').first().press('Enter');
  await expect(visitor.getByRole('dialog').getByText('Source', { exact: true })).toBeVisible();
  await visitor.keyboard.press('Escape');
  expect(await accessibilityProblems(visitor)).toEqual([]);
  const text = await visitor.locator('body').innerText();
  for (const secret of [person.email, person.firstName]) expect(text).not.toContain(secret);
  // No server, log, cache or referrer sees the token in an address.
  expect(addresses.filter((each) => each.includes(token) && !each.includes('#'))).toEqual([]);
  const cached = await visitor.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) found.push(url);
    return found.filter((url) => url.includes('/shared'));
  });
  expect(cached.filter((url) => !/\.(js|css)$/.test(url))).toEqual([]);

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.goto('/settings/storage');
  await page.getByRole('button', { name: /^Stop sharing/ }).press('Enter');
  await expect(page.getByText(/You share no chat/)).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'This link opens nothing' })).toBeVisible();
  expect(await accessibilityProblems(visitor)).toEqual([]);
  await visits.close();
});

test('a chat is saved as an image without a connection, and hostile text stays in it', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson(), '/chat');
  await askHere(page, `שלום 👩‍🚀 ${'x'.repeat(3000)}`);
  await expect(conversation(page)).toContainText('Data:');
  await workerReady(page);
  await openArchive(page);
  await context.setOffline(true);
  const dialog = await openDialog(page);
  await dialog.locator('label', { hasText: 'Image' }).first().click();
  const image = dialog.getByRole('img');
  await expect(image).toHaveAttribute('alt', /xxx[\s\S]*Not financial advice/);
  const edges = await image.evaluate(async (element: HTMLImageElement) => {
    await element.decode();
    const { naturalWidth: width, naturalHeight: height } = element;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const drawing = canvas.getContext('2d') as CanvasRenderingContext2D;
    drawing.drawImage(element, 0, 0);
    const colors = (x: number) => {
      const { data } = drawing.getImageData(x, 0, 8, height);
      return new Set(Array.from({ length: data.length / 4 }, (_, at) => data.slice(4 * at, 4 * at + 4).join())).size;
    };
    return { width, height, left: colors(0), right: colors(width - 8) };
  });
  // Nothing is drawn at the edges.
  expect(edges).toMatchObject({ width: 1440, left: 1, right: 1 });
  // This changes the theme, which draws the image again: the image above would end while it is decoded.
  expect(await accessibilityProblems(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save image' }).press('Enter');
  expect((await download).suggestedFilename()).toBe('tidemark-chat.png');
});

test('the image of a chat is legible in forced colors', async ({ page, app }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
  await signedIn(page, app, newPerson(), '/chat');
  await askHere(page, 'What is staking?');
  await expect(conversation(page)).toContainText('Data:');
  await openArchive(page);
  const dialog = await openDialog(page);
  await dialog.getByRole('radio', { name: 'Image' }).press(' ');
  const picture = dialog.getByRole('img').first();
  await expect(picture).toBeVisible();
  /** How far apart the darkest and the lightest gray of the picture are, 0 to 255. */
  const range = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let [low, high] = [255, 0];
    for (let at = 0; at < data.length; at += 4) {
      const gray = ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3;
      low = Math.min(low, gray);
      high = Math.max(high, gray);
    }
    return high - low;
  });
  expect(range).toBeGreaterThan(150);
});
