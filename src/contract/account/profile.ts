import * as z from 'zod/mini';
import { atMost, idText } from '../text.ts';
import { firstName, lastName, password } from './account.ts';

const MB = 1024 * 1024;

/** Accepted types of a profile picture, by content and not by name. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg'] as const;
/** Bytes. */
export const MAX_PICTURE = 5 * MB;

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
