import type { Page } from '@playwright/test';
import { deviceHas } from './device-db.ts';

/** Waits until the market list is on the device: it shows before. */
export const listStored = (page: Page) => deviceHas(page, 'coinLists', /^coins\/USD\/1\/100$/);
