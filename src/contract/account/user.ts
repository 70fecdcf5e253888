import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { subscription } from '../subscription.ts';

/** The profile of the signed-in user. Times are ISO 8601 in UTC. */
export const user = z.object({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  country: z.string(),
  /** A path below `API_PREFIX`, read with the bearer token. Changes with the picture. */
  profile_image: z.nullable(z.string()),
  created_at: z.string(),
  userSubscription: subscription,
  /** Bytes of the user's pictures on the server, and the limit. Optional, because rows stored on devices by earlier versions lack it. */
  pictures: z.optional(z.object({ used: z.number(), quota: z.number() })),
});
export type User = z.infer<typeof user>;

export const userAnswer = answer(user);
