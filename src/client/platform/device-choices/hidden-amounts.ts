import { type AmountTexts, HIDDEN_AMOUNTS, SHOWN_AMOUNTS } from '#domain/bots/bot-amounts.ts';
import { createDeviceSwitch, useDeviceSwitch } from './device-switch.ts';

const hidden = createDeviceSwitch('hide-amounts', false);

/** Whether the user's amounts are hidden on this device. */
export const useAmountsHidden = (): boolean => useDeviceSwitch(hidden);

/** Returns how to write the user's amounts. */
export const useAmounts = (): AmountTexts => (useAmountsHidden() ? HIDDEN_AMOUNTS : SHOWN_AMOUNTS);

/** Hides or shows the user's amounts in all tabs, and deletes stored first screens: they show them. */
export async function hideAmounts(hide: boolean): Promise<void> {
  hidden.set(hide);
  const { clearScreens } = await import('../first-screen/stored-screens.ts');
  await clearScreens().catch((error) => console.error('deleting first screens failed', error));
}
