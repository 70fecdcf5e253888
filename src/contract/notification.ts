import * as z from 'zod/mini';
import { answer } from './envelope.ts';
import { atMost } from './text.ts';

/** What a notification without a text reads (spec §3). */
export const DEFAULT_TEXT = 'User notification';

export const notification = z.object({
  id: z.string(),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  notification_text: z.string(),
  kind: z.enum(['subscription', 'support', 'security', 'bot']),
  /** A path of the app that it is about; null where there is none. */
  link: z.nullable(z.string()),
  read: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

/** GET /notification/{userId}: the latest 200, newest first. */
export const notificationsAnswer = answer(z.array(notification));

/** POST /notification/{userId}/read: those named and older, by the time of the newest one that was seen. Idempotent. */
export const readBody = z.object({ upTo: z.pipe(z.string().check(atMost(40)), z.iso.datetime()) });
