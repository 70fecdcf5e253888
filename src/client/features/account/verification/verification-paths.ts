import { send } from '#client/platform/api/send.ts';
import { history } from '#client/platform/router/history.ts';
import { forgotPasswordAnswer, recoveryGrantAnswer } from '#contract/account/account.ts';
import { type MessageAnswer, messageAnswer } from '#contract/envelope.ts';
import { beginReset } from '../recovery/reset-note.ts';
import { logIn } from '../sign-in/log-in.ts';
import type { Verification } from './verification-note.ts';

interface VerificationPath {
  /** Throws as `send`; 400 when the code is refused. */
  verify(about: Verification, recoveryCode: string): Promise<MessageAnswer>;
  /** Mails a new code. Throws as `send`. */
  resend(about: Verification): Promise<MessageAnswer>;
  /** What follows; leaves the page. Without it the server's message shows, and then comes /login. */
  succeed?(verification: Verification): Promise<void>;
}

const VERIFY = '/auth/verify-otp/';
const RESEND = '/auth/resend-verification-code/';
const post = (path: string, body: unknown) => send(path, { method: 'POST', body, answer: messageAnswer });

/** Asks for the code that proves an address. Throws as `send`. */
export const requestCode = (email: string): Promise<MessageAnswer> => post(RESEND, { email });

/** Asks for the code that lets a password be reset. Throws as `send`. */
export const requestReset = (email: string) =>
  send('/auth/forgot-password/', { method: 'POST', body: { email }, answer: forgotPasswordAnswer });

/** What the code screen does for each purpose (spec §2, §4). */
export const VERIFICATION_PATHS: Record<Verification['purpose'], VerificationPath> = {
  'sign-up': {
    // Only the code of this device's own sign-up is right here, whoever else signs up with the address.
    verify: ({ email, registration }, recoveryCode) => post(VERIFY, { email, recoveryCode, registration }),
    resend: ({ email, registration }) => post(RESEND, { email, registration }),
    // The password is forgotten after ten minutes; the user then types it.
    succeed: async ({ email, password, expiresAt }) =>
      password && expiresAt > Date.now() ? logIn({ email, password }, true) : history.replace('/login'),
  },
  email: {
    verify: ({ email }, recoveryCode) => post(VERIFY, { email, recoveryCode }),
    resend: ({ email }) => requestCode(email),
  },
  'forgot-password': {
    async verify({ email }, recoveryCode) {
      const body = { email, recoveryCode };
      const granted = await send('/auth/verify-recovery-code/', { method: 'POST', body, answer: recoveryGrantAnswer });
      await beginReset({ email, recoveryCode: granted.data.recoveryCode });
      return granted;
    },
    resend: ({ email }) => requestReset(email),
    succeed: async () => history.replace('/reset-password'),
  },
};
