import { type BrowserContext, type CDPSession, expect, type Page } from '@playwright/test';
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

/**
 * Delivers push messages to the page's worker, as the browser does with what its push service sends.
 * Each delivery ends when the worker has shown the message.
 */
export async function pushDelivery(page: Page): Promise<(text: string) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => first && resolve(first.registrationId));
  });
  const service = 'pushMessaging';
  await session.send('BackgroundService.startObserving', { service });
  await session.send('BackgroundService.setRecording', { service, shouldRecord: true });
  await session.send('ServiceWorker.enable');
  const registrationId = await found;
  const origin = new URL(page.url()).origin;
  /** How the worker's push events ended. */
  const ended: (string | undefined)[] = [];
  session.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent: { eventName, eventMetadata } }) => {
    if (eventName === 'Push event completed') ended.push(eventMetadata.find(({ key }) => key === 'Status')?.value);
  });
  return async (data) => {
    const place = ended.length;
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    await expect.poll(() => ended[place], 'the worker shows the message').toBe('Success');
  };
}

/**
 * Returns title and text of the shown notifications. Never poll it: Chromium deletes a notification that it is about to show when a page reads
 * the list meanwhile.
 */
export const shownNotifications = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body }) => `${title}: ${body}`));
