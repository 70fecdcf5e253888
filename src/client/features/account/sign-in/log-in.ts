import { send } from '#client/platform/api/send.ts';
import { closeOnboarding } from '#client/platform/flags.ts';
import { signedInByPassword } from '#client/platform/passkeys/offer.ts';
import { history } from '#client/platform/router/history.ts';
import { signIn } from '#client/platform/session/session.ts';
import type { LoginBody } from '#contract/account/account.ts';
import { type Tokens, tokensAnswer } from '#contract/account/tokens.ts';

/** Logs in, stores the session and opens the home page. Throws like `send`. */
export async function logIn({ email, password }: LoginBody, remember: boolean): Promise<void> {
  const { data } = await send('/auth/login/', { method: 'POST', body: { email, password }, answer: tokensAnswer });
  signedInByPassword.set(true);
  await enter(data, remember);
}

/** Stores a session and opens the home page. */
export async function enter(tokens: Tokens, remember: boolean): Promise<void> {
  closeOnboarding();
  await signIn(tokens, remember);
  history.replace('/home');
}
