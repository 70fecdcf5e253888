import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import type { PushSubscriber } from './push-service.ts';

/**
 * Lets pages subscribe at a push service of this machine: Chromium can't reach its own. The subscription outlives pages, like a real one.
 * `permission`: what the user answers to the browser's question.
 */
export async function fakePushManager(
  context: BrowserContext,
  { endpoint, keys }: Pick<PushSubscriber, 'endpoint' | 'keys'>,
): Promise<void> {
  await context.grantPermissions(['notifications']);
  await context.addInitScript(
    (browser) => {
      const KEY = 'fake-push-subscription';
      const read = () => {
        const stored = localStorage.getItem(KEY);
        if (stored === null) return null;
        const applicationServerKey = Uint8Array.from(JSON.parse(stored)).buffer;
        return {
          endpoint: browser.endpoint,
          options: { userVisibleOnly: true, applicationServerKey },
          toJSON: () => browser,
          unsubscribe: async () => {
            localStorage.removeItem(KEY);
            return true;
          },
        };
      };
      if (!('PushManager' in window)) return;
      Object.assign(PushManager.prototype, {
        getSubscription: async () => read(),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
          localStorage.setItem(KEY, JSON.stringify([...applicationServerKey]));
          return read();
        },
      });
    },
    { endpoint, keys },
  );
}

export const hasSubscription = (page: Page): Promise<boolean> =>
  page.evaluate(() => localStorage.getItem('fake-push-subscription') !== null);

/** Delivers push messages to the page's worker, as the browser does with what its push service sends. */
export async function pushDelivery(page: Page): Promise<(text: string) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => first && resolve(first.registrationId));
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await found;
  const origin = new URL(page.url()).origin;
  return async (data) => void (await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data }));
}

/** Returns title and text of the shown notifications. */
export const shownNotifications = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body }) => `${title}: ${body}`));
