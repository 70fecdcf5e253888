import { createValue } from '#client/platform/create-value.ts';
import { useValue } from '#client/platform/use-value.ts';

/** Whether the upgrade dialog is open. There is one dialog, wherever the request came from. */
const isOpen = createValue(false);

/** Opens the upgrade dialog of the chat on the screen. */
export const askToUpgrade = () => isOpen.set(true);
export const closeUpgrade = () => isOpen.set(false);

export const useUpgradePrompt = (): boolean => useValue(isOpen);
