import { vi } from 'vitest';

/** A browser's push subscription in component tests. */
export interface TestSubscription {
  endpoint: string;
  options: { applicationServerKey: ArrayBuffer };
  unsubscribe: () => Promise<boolean>;
  toJSON: () => object;
}

/** Gives happy-dom a service worker that can subscribe, and notifications with this permission. */
export function fakePushBrowser(permission: NotificationPermission, answer: NotificationPermission = 'granted') {
  const browser = {
    /** What the browser has. */
    current: undefined as TestSubscription | undefined,
    made: 0,
    ended: [] as string[],
    /** Number of times that the user was asked. */
    asked: 0,
    subscribe(key: string): TestSubscription {
      browser.made += 1;
      const endpoint = `https://push.example.com/${browser.made}`;
      browser.current = {
        endpoint,
        options: { applicationServerKey: Uint8Array.from(Buffer.from(key, 'base64url')).buffer },
        unsubscribe: async () => {
          browser.ended.push(endpoint);
          browser.current = undefined;
          return true;
        },
        toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
      };
      return browser.current;
    },
  };
  const registration = {
    getNotifications: async () => [],
    pushManager: {
      getSubscription: async () => browser.current ?? null,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) =>
        browser.subscribe(Buffer.from(applicationServerKey).toString('base64url')),
    },
  };
  const notification = {
    permission,
    requestPermission: async () => {
      browser.asked += 1;
      notification.permission = answer;
      return answer;
    },
  };
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve(registration), getRegistration: async () => registration, addEventListener: () => undefined },
  });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', notification);
  Object.assign(window, { PushManager: class {}, Notification: notification });
  return browser;
}
