import type { AccessClaims } from '#contract/account/tokens.ts';
import { bytesOf } from '../base64url.ts';

/** An access token is refreshed this many seconds before it expires. */
const MARGIN = 30;

/** Returns whether an access token can still be sent. `exp` is its claim, in seconds; `now` in ms. */
export const isFresh = (exp: number, now: number): boolean => exp - MARGIN > now / 1_000;

/** Returns the claims of an access token, whose signature only the server can check. Throws for anything else. */
export function claimsOf(accessToken: string): Partial<AccessClaims> {
  const [, claims = ''] = accessToken.split('.');
  return JSON.parse(new TextDecoder().decode(bytesOf(claims)));
}
