import { createHash } from 'node:crypto';
import type { Notification } from '#contract/notification.ts';
import { NOTIFICATIONS_PAGE } from '#contract/notifications/pages.ts';
import { PRODUCT } from '#domain/product.ts';

/** What a push message shows. */
export interface PushMessage {
  kind: Notification['kind'];
  text: string;
  /** A path of the app. */
  link: string | null;
  /** A later message with the same tag replaces this one. */
  tag: string;
  /** The user's unread notifications. */
  unread: number;
  /** The session of the browser. A worker shows the text only while the device has this session. */
  session: string;
  /** Lets the worker say that the message was shown and opened. */
  receipt: string;
}

/** Bytes of a message before encryption. Services take 4096 after it; encryption adds 103, and Firefox's service has a longer header. */
const MAX_MESSAGE_BYTES = 3000;
/** Characters of the text. A notification shows fewer. */
const MAX_TEXT = 500;

const PUSH_TITLES: Record<Notification['kind'], string> = {
  subscription: 'Your plan',
  support: 'Support',
  security: 'Security',
  bot: 'Trading bot',
  alert: 'Price alert',
};

/**
 * Returns a message as Declarative Web Push (W3C Push API), which Safari shows without the worker. The worker shows the same. WebKit's
 * first version reads the badge inside the notification, as text.
 */
export function declarativePush({ kind, text, link, tag, unread, session, receipt }: PushMessage, publicUrl: string): string {
  const build = (body: string) =>
    JSON.stringify({
      web_push: 8030,
      notification: {
        title: `${PUSH_TITLES[kind]} · ${PRODUCT}`,
        body,
        lang: 'en',
        dir: 'auto',
        navigate: publicUrl + (link ?? NOTIFICATIONS_PAGE),
        tag,
        silent: false,
        app_badge: String(unread),
        data: { session, receipt },
      },
      app_badge: unread,
    });
  const short = cut(text, MAX_TEXT);
  const message = build(short);
  const excess = Buffer.byteLength(message) - MAX_MESSAGE_BYTES;
  // A character has at most six bytes in JSON.
  return excess <= 0 ? message : build(cut(short, Math.max(0, short.length - excess)));
}

/** Shortens a text, not within a character. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, Math.max(0, max - 1));
  return `${head.isWellFormed?.() === false ? head.slice(0, -1) : head}…`;
}

/** Returns the collapse key of a tag for push services: 32 characters of base64url, which tell them nothing. */
export const topicOf = (tag: string): string => createHash('sha256').update(tag).digest().subarray(0, 24).toString('base64url');
