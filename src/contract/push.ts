import * as z from 'zod/mini';
import { answer } from './envelope.ts';
import { atMost } from './text.ts';

/** Characters of 65 and of 16 bytes in base64url. */
const base64url = (length: number) => z.string().check(atMost(length), z.regex(new RegExp(`^[\\w-]{${length}}$`), 'Not a key'));

const endpoint = z.string().check(
  atMost(1024),
  z.refine((text) => URL.canParse(text), 'Not an address'),
);

/** GET /push/key: the key that browsers subscribe with, an uncompressed P-256 point in base64url. */
export const pushKeyAnswer = answer(z.object({ key: z.string() }));

/** What a browser's push subscription consists of (RFC 8291). */
export const pushSubscription = z.object({ endpoint, keys: z.object({ p256dh: base64url(87), auth: base64url(22) }) });
export type PushSubscriptionForm = z.infer<typeof pushSubscription>;

/**
 * POST /push/subscriptions: this session's device gets the user's notifications. Idempotent. A subscription belongs to the last
 * session that sent it. `key` is the one that the browser subscribed with. `hide_amounts`: messages name no amounts of the user's bots.
 * DELETE ends it for this session.
 */
export const subscribeBody = z.extend(pushSubscription, { key: base64url(87), hide_amounts: z.optional(z.boolean()) });
export type SubscribeBody = z.infer<typeof subscribeBody>;

/**
 * POST /push/subscriptions/renew, without a token: the browser has replaced a subscription while no page was open. The worker proves
 * by the old one's secret that it held it.
 */
export const renewBody = z.extend(subscribeBody, { old: z.object({ endpoint, auth: base64url(22) }) });
