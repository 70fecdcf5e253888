import * as z from 'zod/mini';
import { answer } from '../envelope.ts';

/** The two halves of a session; `refreshToken` is rotated at each refresh. */
export const tokens = z.object({ accessToken: z.string(), refreshToken: z.string() });
export type Tokens = z.infer<typeof tokens>;

export const tokensAnswer = answer(tokens);

/** Claims of the access token: the client knows this much about the user before it loads a profile. */
export const accessClaims = z.object({
  sub: z.string(),
  sid: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  iat: z.number(),
  exp: z.number(),
});
export type AccessClaims = z.infer<typeof accessClaims>;
