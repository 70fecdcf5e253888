import { useSyncExternalStore } from 'react';

/** Whether the user is being told that this takes another plan. One question at a time, wherever it came from. */
let open = false;
const listeners = new Set<() => void>();

function set(next: boolean) {
  open = next;
  for (const listener of [...listeners]) listener();
}

/** Opens the upgrade dialog of the chat on the screen (spec §2). */
export const askToUpgrade = () => set(true);
export const closeUpgrade = () => set(false);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const useUpgradePrompt = (): boolean => useSyncExternalStore(subscribe, () => open);
