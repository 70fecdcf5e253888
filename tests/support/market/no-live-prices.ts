import type { Page } from '@playwright/test';

/** Keeps live prices from a page that allows no layout shift: a price with one more digit moves what is beside it. */
export const noLivePrices = (page: Page): Promise<void> => page.routeWebSocket(/\/socket\.io\//, () => undefined);
