import type { Tokens } from '#contract/account/tokens.ts';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Once for a file of tests: equal arguments make equal tokens, also when a second passes between two calls. */
const EXPIRES_AT = Math.floor(Date.now() / 1000) + 900;

/** Creates tokens with real claims and a fake signature, which the client does not check. `exp` in seconds. */
export function makeTokens({ exp = EXPIRES_AT, refreshToken = 'refresh-1', sub = 'user-1' } = {}): Tokens {
  const claims = { sub, sid: 'session-1', email: 'ada@example.com', first_name: 'Ada', last_name: 'King', iat: exp - 900, exp };
  return { accessToken: `${base64url({ alg: 'HS256' })}.${base64url(claims)}.${refreshToken}`, refreshToken };
}
