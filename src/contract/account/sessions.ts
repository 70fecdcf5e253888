import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost, idText, notEmpty } from '../text.ts';
import { MESSAGES } from './account-rules.ts';

/** Maximum sessions of a user. One more sign-in ends the least recently used. */
export const MAX_SESSIONS = 50;

/** `code` of the 403 that asks for the current password. The client then repeats the request. */
export const RE_AUTHENTICATION_REQUIRED = 're_authentication_required';
/** `code` of a refused POST /auth/re-authenticate/. */
export const WRONG_PASSWORD = 'wrong_password';

/** A signed-in device. Times are ISO 8601 in UTC. `name` and `network` are null for sessions of earlier versions. */
export const device = z.object({
  id: z.string(),
  /** Browser and system, such as `Chrome on Android`. */
  name: z.nullable(z.string()),
  /** Network prefix of the sign-in, such as `203.0.113.0/24`. */
  network: z.nullable(z.string()),
  signed_in_at: z.string(),
  /** Accurate to a few minutes. */
  last_seen_at: z.string(),
  /** True for the session of this request. */
  current: z.boolean(),
});
export type Device = z.infer<typeof device>;

/** GET /auth/sessions/. This session first, then the others by last use. */
export const devicesAnswer = answer(z.array(device));

/** POST /auth/re-authenticate/. Checks only the length, because the password may be older than the rules for new ones. */
export const reAuthenticateBody = z.object({
  password: z.string(MESSAGES.passwordRequired).check(atMost(200), notEmpty(MESSAGES.passwordRequired)),
});
export type ReAuthenticateBody = z.infer<typeof reAuthenticateBody>;

/**
 * POST /auth/end-session/ ends a session without its tokens. `token_hash` is the SHA-256 of its refresh token in base64url, which
 * can do nothing else.
 */
export const endSessionBody = z.object({
  session_id: idText,
  token_hash: z.string().check(atMost(64), notEmpty()),
});
export type EndSessionBody = z.infer<typeof endSessionBody>;
