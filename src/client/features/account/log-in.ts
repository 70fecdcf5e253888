import { type LoginBody, tokensAnswer } from '../../../contract/account';
import { send } from '../../platform/api/send';
import { closeOnboarding } from '../../platform/flags';
import { history } from '../../platform/router/history';
import { signIn } from '../../platform/session/session';

/** Logs in, keeps the session and goes home (spec §4). Throws as `send`. */
export async function logIn({ email, password }: LoginBody, remember: boolean): Promise<void> {
  const { data } = await send('/auth/login/', { method: 'POST', body: { email, password }, answer: tokensAnswer });
  closeOnboarding();
  await signIn(data, remember);
  history.replace('/home');
}
