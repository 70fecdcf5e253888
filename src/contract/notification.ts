import * as z from 'zod/mini';
import { answer } from './envelope.ts';
import { atMost } from './text.ts';

/** Text of a notification without one. */
export const DEFAULT_TEXT = 'User notification';

/** What a notification is about. */
export const NOTIFICATION_KINDS = ['subscription', 'support', 'security', 'bot', 'alert'] as const;

export const notification = z.object({
  id: z.string(),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  notification_text: z.string(),
  kind: z.enum(NOTIFICATION_KINDS),
  /** A path of the app, or null. */
  link: z.nullable(z.string()),
  read: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

/** GET /notification/{userId}: the latest 200, newest first. */
export const notificationsAnswer = answer(z.array(notification));

/** POST /notification/{userId}/read: marks notifications up to the time of the newest one seen. Idempotent. */
export const readBody = z.object({ upTo: z.pipe(z.string().check(atMost(40)), z.iso.datetime()) });
