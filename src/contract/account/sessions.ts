import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost, idText, notEmpty } from '../text.ts';
import { MESSAGES } from './account-rules.ts';

/** Sessions one user can have; a further sign-in ends the one that was used least recently. */
export const MAX_SESSIONS = 50;

/** `code` of the 403 that asks for the current password before the same request is repeated. */
export const RE_AUTHENTICATION_REQUIRED = 're_authentication_required';
/** `code` of a refused POST /auth/re-authenticate/. */
export const WRONG_PASSWORD = 'wrong_password';

/** A signed-in device. Times are ISO 8601 in UTC; `name` and `network` are null for sessions opened before they were kept. */
export const device = z.object({
  id: z.string(),
  /** Browser and system, such as `Chrome on Android`. */
  name: z.nullable(z.string()),
  /** The network prefix of the sign-in, such as `203.0.113.0/24`. */
  network: z.nullable(z.string()),
  signed_in_at: z.string(),
  /** Exact to a few minutes. */
  last_seen_at: z.string(),
  /** The session that asks. */
  current: z.boolean(),
});
export type Device = z.infer<typeof device>;

/** GET /auth/sessions/: the session that asks first, then the others, last used first. */
export const devicesAnswer = answer(z.array(device));

/** POST /auth/re-authenticate/. The account's password may be older than the rule for new ones, so only its length is checked. */
export const reAuthenticateBody = z.object({
  password: z.string(MESSAGES.passwordRequired).check(atMost(200), notEmpty(MESSAGES.passwordRequired)),
});
export type ReAuthenticateBody = z.infer<typeof reAuthenticateBody>;

/**
 * POST /auth/end-session/: ends a session without its tokens. `token_hash` is the SHA-256 of its refresh token in base64url,
 * which can end the session and nothing else.
 */
export const endSessionBody = z.object({
  session_id: idText,
  token_hash: z.string().check(atMost(64), notEmpty()),
});
export type EndSessionBody = z.infer<typeof endSessionBody>;
