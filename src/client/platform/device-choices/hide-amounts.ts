import { clearScreens } from '../first-screen/stored-screens.ts';
import { amountsHidden } from './hidden-amounts.ts';

/** Hides or shows the user's amounts in all tabs, and deletes stored first screens: they show them. */
export async function hideAmounts(hide: boolean): Promise<void> {
  amountsHidden.set(hide);
  await clearScreens().catch((error) => console.error('deleting first screens failed', error));
}
