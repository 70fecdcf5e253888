import { expect, type Page } from '@playwright/test';
import { blackPng, photoWithExif } from '../charts/pictures.ts';
import type { RunningApp } from '../processes/app.ts';
import { receivedMessages } from './received-messages.ts';

/** The three images of every message in these tests. */
async function images() {
  const photo = await photoWithExif(60, 40);
  return [
    { name: 'one.png', mimeType: 'image/png', buffer: blackPng(300, 200) },
    { name: 'two.jpg', mimeType: 'image/jpeg', buffer: photo },
    { name: 'three.png', mimeType: 'image/png', buffer: blackPng(90, 90) },
  ];
}

/** Fills and sends the form of the help center. Resolves when the outbox has the message. */
export async function writeMessage(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Contact Us' }).click();
  await page.getByLabel('Message').fill(text);
  await page.getByLabel('Add images').setInputFiles(await images());
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(3);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByLabel('Message')).toHaveCount(0);
}

/** Returns the row of a message in the list below the form. */
export const messageRow = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

export async function expectState(page: Page, text: string, state: 'Waiting' | 'Sent' | 'Failed'): Promise<void> {
  await expect(messageRow(page, text).getByText(state, { exact: true })).toBeVisible({ timeout: 30_000 });
}

/** Waits until the server has exactly these messages of a user, each once and with its images. */
export async function expectArrived(app: RunningApp, email: string, texts: string[]): Promise<void> {
  const wanted = texts.map((text) => `${text}: image/png image/jpeg image/png`).sort();
  const found = async () =>
    (await receivedMessages(app))
      .filter((each) => each.email === email)
      .map(({ message, files }) => `${message}: ${files.map(({ type }) => type).join(' ')}`)
      .sort();
  await expect.poll(found, { timeout: 30_000, message: 'messages on the server' }).toEqual(wanted);
}
