import { messageAnswer } from '../../../contract/envelope';
import { send } from '../../platform/api/send';
import { history } from '../../platform/router/history';
import { logIn } from './log-in';
import type { Verification } from './verification';

interface VerificationPath {
  /** Throws as `send`; 400 when the code is refused. */
  verify(email: string, recoveryCode: string): Promise<unknown>;
  /** Mails a new code. Throws as `send`. */
  resend(email: string): Promise<unknown>;
  /** What follows; leaves the page. */
  succeed(verification: Verification): Promise<void>;
}

const post = (path: string, body: unknown) => send(path, { method: 'POST', body, answer: messageAnswer });

/** What the code screen does for each purpose (spec §2, §4). */
export const VERIFICATION_PATHS: Record<Verification['purpose'], VerificationPath> = {
  'sign-up': {
    verify: (email, recoveryCode) => post('/auth/verify-otp/', { email, recoveryCode }),
    resend: (email) => post('/auth/resend-verification-code/', { email }),
    // The password is forgotten after ten minutes; the user then types it.
    succeed: async ({ email, password }) => (password ? logIn({ email, password }, true) : history.replace('/login')),
  },
};
