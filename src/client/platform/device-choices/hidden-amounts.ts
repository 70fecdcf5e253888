import { type AmountTexts, HIDDEN_AMOUNTS, SHOWN_AMOUNTS } from '#domain/bots/bot-amounts.ts';
import { createDeviceSwitch, useDeviceSwitch } from './device-switch.ts';

/** Components read it with `useAmounts`; `hideAmounts` changes it. */
export const amountsHidden = createDeviceSwitch('hide-amounts', false);

/** Whether the user's amounts are hidden on this device. */
export const useAmountsHidden = (): boolean => useDeviceSwitch(amountsHidden);

/** Returns how to write the user's amounts. */
export const useAmounts = (): AmountTexts => (useAmountsHidden() ? HIDDEN_AMOUNTS : SHOWN_AMOUNTS);
