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
  /** A path below `API_PREFIX`, read with the bearer; it changes with the picture. */
  profile_image: z.nullable(z.string()),
  created_at: z.string(),
  userSubscription: subscription,
  /** Bytes that the user's pictures take on the server, and may take. Profiles that devices stored earlier lack it. */
  pictures: z.optional(z.object({ used: z.number(), quota: z.number() })),
});
export type User = z.infer<typeof user>;

export const userAnswer = answer(user);
