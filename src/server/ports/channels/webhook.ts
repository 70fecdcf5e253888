import { createHmac } from 'node:crypto';
import { WEBHOOK_MESSAGES } from '#contract/notifications/settings.ts';
import type { Clock } from '#domain/clock.ts';
import { postTo } from '../outgoing/post.ts';
import { targetUrl } from '../outgoing/target-url.ts';
import { retryAfter } from '../retry-after.ts';
import type { Channel, Destination, Message } from './channel.ts';
import { httpOutcome, refusePrivate } from './http-outcome.ts';

const AT_ONCE = 20;
const RECEIVER = { name: 'The receiver', gone: [410] };
/** Starts a secret, as the Standard Webhooks have it. */
const SECRET_PREFIX = 'whsec_';

interface Parts {
  clock: Clock;
  publicUrl: string;
  /** Returns the secret of a destination; undefined if no key opens it. */
  secretOf(destination: Destination): string | undefined;
  /** Origins that may be private or without TLS. */
  trusted: readonly string[];
}

/** Creates the channel that posts signed messages to addresses of users (docs/webhooks.md). */
export const createWebhookChannel = ({ clock, publicUrl, secretOf, trusted }: Parts): Channel => ({
  name: 'webhook',
  atOnce: AT_ONCE,
  async send(message, signal, waits) {
    const { destination } = message;
    const secret = destination ? secretOf(destination) : undefined;
    if (!destination || secret === undefined) return { outcome: 'gone', reason: 'the secret cannot be read' };
    // The operator may have trusted it before.
    const url = targetUrl(destination.address, trusted);
    if (!url) return { outcome: 'refused', reason: WEBHOOK_MESSAGES.notAllowed, counts: true };
    const body = JSON.stringify(bodyOf(message, publicUrl));
    const timestamp = String(Math.floor(clock() / 1000));
    const headers = {
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signatureOf(secret, `${message.id}.${timestamp}.${body}`)}`,
    };
    const isPrivateAllowed = trusted.includes(url.origin);
    waits?.();
    return postTo(url, { headers, body, signal, isPrivateAllowed }).then(
      (answer) => httpOutcome({ status: answer.status, after: retryAfter(answer.headers, clock()) }, RECEIVER),
      refusePrivate,
    );
  },
});

function bodyOf({ id, receipt, kind, urgent, text, link, count, createdAt }: Message, publicUrl: string) {
  return { id, kind, urgent, text, link: link && `${publicUrl}${link}`, count, created_at: createdAt.toISOString(), receipt };
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}

/** Returns the text form of a new secret's bytes. */
export const webhookSecret = (bytes: Buffer): string => `${SECRET_PREFIX}${bytes.toString('base64')}`;
