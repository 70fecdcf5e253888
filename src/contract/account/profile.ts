import * as z from 'zod/mini';
import { atMost, idText } from '../text.ts';
import { firstName, lastName, password } from './account.ts';

const MB = 1024 * 1024;

/** What a profile picture may be; its content counts, not its name. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg'] as const;
/** Bytes. */
export const MAX_PICTURE = 5 * MB;

/**
 * The text fields of PATCH /auth/user/{userId}/, multipart form data (spec §7); what is missing stays as it is.
 * The file goes beside them as `profile_picture`. Answers `userAnswer`.
 */
export const profileUpdateBody = z.object({
  user_id: idText,
  first_name: z.optional(firstName),
  last_name: z.optional(lastName),
  /** ISO 3166-1 alpha-2 in lower case; `domain/countries` lists them. */
  country: z.optional(z.string().check(atMost(2), z.regex(/^[a-z]{2}$/))),
  password: z.optional(password),
});
export type ProfileUpdateBody = z.infer<typeof profileUpdateBody>;
