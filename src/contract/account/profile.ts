import * as z from 'zod/mini';
import { atMost, idText } from '../text.ts';
import { firstName, lastName, password } from './account.ts';

/**
 * PATCH /auth/user/{userId}/, multipart form data with the file as `profile_picture`. Missing fields stay unchanged. Answers
 * `userAnswer`.
 */
export const profileUpdateBody = z.object({
  user_id: idText,
  first_name: z.optional(firstName),
  last_name: z.optional(lastName),
  /** ISO 3166-1 alpha-2 in lower case, from `domain/countries`. */
  country: z.optional(z.string().check(atMost(2), z.regex(/^[a-z]{2}$/))),
  password: z.optional(password),
});
export type ProfileUpdateBody = z.infer<typeof profileUpdateBody>;
