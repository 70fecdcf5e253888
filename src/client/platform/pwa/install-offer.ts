import { createValue } from '../create-value.ts';
import { useValue } from '../use-value.ts';

/** Chromium's install event, which the page can use later. TypeScript's library lacks it. */
export interface InstallEvent extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** The browser's install event; undefined before it fires, in browsers without it, and after the user has answered. */
export const installOffer = createValue<InstallEvent | undefined>(undefined);
export const useInstallOffer = (): InstallEvent | undefined => useValue(installOffer);

/** Keeps the browser's install event for later. Call it first at boot: the event fires once, early. */
export function keepInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installOffer.set(event as InstallEvent);
  });
}
