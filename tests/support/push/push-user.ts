import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Notification } from '#contract/notification.ts';
import { pushKeyAnswer } from '#contract/push.ts';
import { destinations } from '#server/db/schema/deliveries.ts';
import { createNotifications, type Notice } from '#server/modules/notifications/service.ts';
import type { SignedUp, TestServer } from '../server/server.ts';
import type { PushService, PushSubscriber } from './push-service.ts';

/** What a push message says, as far as tests read it. */
export interface Declarative {
  web_push: number;
  app_badge: number;
  notification: { title: string; body: string; navigate: string; tag: string; data: { session: string; receipt: string } };
}

/** Subscribes browsers of users, and notifies the users. */
export function pushUsers(server: TestServer, service: PushService) {
  const send = (path: string, body: unknown, { authorization }: Pick<SignedUp, 'authorization'>) =>
    server.post(`/push${path}`, body, { authorization });

  async function key({ authorization }: Pick<SignedUp, 'authorization'>): Promise<string> {
    const response = await fetch(`${server.url}/api/push/key`, { headers: { authorization } });
    return z.parse(pushKeyAnswer, await response.json()).data.key;
  }

  return {
    key,
    send,
    remove: ({ authorization }: SignedUp) =>
      fetch(`${server.url}/api/push/subscriptions`, { method: 'DELETE', headers: { authorization } }),
    /** Subscribes a new browser in the user's session. */
    async subscribe(who: SignedUp): Promise<PushSubscriber> {
      const own = await key(who);
      const browser = service.subscribe(() => own);
      const { endpoint, keys } = browser;
      const response = await send('/subscriptions', { endpoint, keys, key: own }, who);
      if (!response.ok) throw new Error(`the subscription was refused: ${response.status} ${await response.text()}`);
      return browser;
    },
    /** Stores a notification, which the server then sends. */
    async notify({ user }: Pick<SignedUp, 'user'>, what: Partial<Notice> & { kind?: Notification['kind'] } = {}): Promise<void> {
      const { notify } = createNotifications({ db: server.db, clock: Date.now });
      await server.db.transaction((tx) =>
        notify(tx, user.id, { kind: 'alert', text: 'Bitcoin rose above $100.', link: '/crypto/details/1', ...what }),
      );
    },
    rows: ({ user }: Pick<SignedUp, 'user'>) => server.db.select().from(destinations).where(eq(destinations.userId, user.id)),
  };
}

/** Reads the last message of a browser. */
export const lastOf = (browser: PushSubscriber): Declarative => JSON.parse(browser.received().at(-1) ?? 'null');
