import { createValue } from '../create-value.ts';
import { useValue } from '../use-value.ts';

/** Chromium's own question, which it lets the page put at a moment of its choice. Not in TypeScript's library. */
export interface InstallEvent extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** The browser's question, once it would put it; undefined where it never does, and after it was answered. */
export const installOffer = createValue<InstallEvent | undefined>(undefined);
export const useInstallOffer = (): InstallEvent | undefined => useValue(installOffer);

/** Keeps the browser's question for later. Called first thing: it is asked once for each page, and soon. */
export function keepInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installOffer.set(event as InstallEvent);
  });
}
