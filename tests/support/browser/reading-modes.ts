import type { Page } from '@playwright/test';

/** Ways in which a device draws pages: as designed, in its own few colors, with more contrast, or with text of twice the size. */
export const MODES = ['plain', 'forced', 'contrast', 'large'] as const;
export type Mode = (typeof MODES)[number];

/** Draws the page in a mode. */
export async function readIn(page: Page, mode: Mode, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({
    colorScheme,
    forcedColors: mode === 'forced' ? 'active' : 'none',
    contrast: mode === 'contrast' ? 'more' : 'no-preference',
  });
  // What the browser's setting of the text size does. It ends with the session, so the session stays open.
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: mode === 'large' ? 32 : 16 } });
}
