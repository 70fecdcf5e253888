import type { Locator, Page } from '@playwright/test';

/** Returns the link of the coin at a place of the market list, from 0. A later list may have the coin at another place. */
export async function coinAt(page: Page, place: number): Promise<Locator> {
  const links = page.getByRole('list', { name: 'Coins' }).getByRole('link');
  const href = await links.nth(place).getAttribute('href');
  return links.and(page.locator(`[href="${href}"]`));
}
