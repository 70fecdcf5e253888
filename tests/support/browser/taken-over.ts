import { expect, type Page } from '@playwright/test';

/** Waits until the app has replaced the stored screen: until then both have the same texts, and the app's are hidden. */
export const takenOver = (page: Page): Promise<void> => expect(page.locator('#first-screen')).toHaveCount(0);
