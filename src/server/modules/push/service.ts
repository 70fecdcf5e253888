import { createECDH } from 'node:crypto';
import type * as z from 'zod/mini';
import type { renewBody, SubscribeBody } from '#contract/push.ts';
import { MAX_PUSH_SUBSCRIPTIONS, OTHER_PUSH_KEY } from '#contract/push-limits.ts';
import type { Clock } from '#domain/clock.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import type { Identity } from '#server/http/authenticate.ts';
import { badRequest, notFound, Problem, unauthorized } from '#server/http/errors.ts';
import { targetUrl } from '#server/ports/outgoing/target-url.ts';
import { isSameToken } from '#server/tokens/random-tokens.ts';
import { deleteBrowser, findBrowser, holdSession, keepNewestBrowsers, putBrowser } from './store.ts';

type Owner = Pick<Identity, 'userId' | 'sessionId'>;

export interface Push {
  /** Returns the key that browsers subscribe with. */
  key(): Promise<string>;
  /** Sends the user's notifications to this session's browser. Another session that had it loses it. */
  subscribe(owner: Owner, body: SubscribeBody): Promise<void>;
  unsubscribe(owner: Owner): Promise<void>;
  /** Replaces a subscription by the one that the browser has made in its place. Throws 404 for an unknown one. */
  renew(body: z.infer<typeof renewBody>): Promise<void>;
}

interface Parts {
  db: Db;
  clock: Clock;
  /** Origins that may be private or without TLS. */
  trusted: readonly string[];
  keys: () => Promise<{ publicKey: string }>;
}

export function createPush({ db, clock, trusted, keys }: Parts): Push {
  const key = async () => (await keys()).publicKey;

  /** Refuses what no message could be sent with. */
  async function demandUsable({ endpoint, keys: { p256dh }, key: used }: SubscribeBody): Promise<void> {
    if (used !== (await key())) throw new Problem(409, OTHER_PUSH_KEY, 'The server has another key. Turn notifications on again.');
    if (!targetUrl(endpoint, trusted)) throw badRequest('push_subscription', 'This push service cannot be used.');
    if (!isPublicKey(p256dh)) throw badRequest('push_subscription', 'The browser sent no valid key.');
  }

  async function store(tx: Tx, { userId, sessionId }: Owner, body: SubscribeBody): Promise<void> {
    const { endpoint, keys, hide_amounts: hidesAmounts = false } = body;
    const details = { ...keys, session: sessionId, hidesAmounts };
    await lockUser(tx, userId);
    if (!(await holdSession(tx, sessionId))) throw unauthorized();
    const createdAt = new Date(clock());
    await putBrowser(tx, { userId, address: endpoint, details, createdAt });
    await keepNewestBrowsers(tx, userId, MAX_PUSH_SUBSCRIPTIONS);
  }

  return {
    key,
    async subscribe(owner, body) {
      await demandUsable(body);
      await db.transaction((tx) => store(tx, owner, body));
    },
    unsubscribe: ({ userId, sessionId }) => deleteBrowser(db, userId, sessionId),
    async renew({ old, ...body }) {
      await demandUsable(body);
      await db.transaction(async (tx) => {
        const known = await findBrowser(tx, old.endpoint);
        if (!known || !isSameToken(String(known.details.auth), old.auth)) throw notFound();
        // The worker does not know the setting.
        const hide_amounts = known.details.hidesAmounts === true;
        await store(tx, { userId: known.userId, sessionId: String(known.details.session) }, { ...body, hide_amounts });
      });
    },
  };
}

/** Returns whether a key is a point of the curve: otherwise no message could be encrypted for it. */
function isPublicKey(p256dh: string): boolean {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  try {
    return pair.computeSecret(p256dh, 'base64url').length > 0;
  } catch {
    return false;
  }
}
