import { expect, type Page } from '@playwright/test';

/** Waits until the page hears the keys of the palette and of the rows' menu, whose code follows the first screen. */
export const followsKeys = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-slash', 'on');
