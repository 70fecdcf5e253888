import { send } from '#client/platform/api/send.ts';
import { history } from '#client/platform/router/history.ts';
import { forgotPasswordAnswer, recoveryGrantAnswer } from '#contract/account/account.ts';
import { type MessageAnswer, messageAnswer } from '#contract/envelope.ts';
import { beginReset } from '../recovery/reset-note.ts';
import { logIn } from '../sign-in/log-in.ts';
import type { Verification } from './verification-note.ts';

interface VerificationPath {
  /** Throws like `send`, with status 400 for a wrong code. */
  verify(about: Verification, recoveryCode: string): Promise<MessageAnswer>;
  /** Sends a new code by email. Throws like `send`. */
  resend(about: Verification): Promise<MessageAnswer>;
  /** Continues on another page. Without it, the form shows the server's message and opens /login. */
  succeed?(verification: Verification): Promise<void>;
}

const VERIFY = '/auth/verify-otp/';
const RESEND = '/auth/resend-verification-code/';
const post = (path: string, body: unknown) => send(path, { method: 'POST', body, answer: messageAnswer });

/** Requests the code that verifies an address. Throws like `send`. */
export const requestCode = (email: string): Promise<MessageAnswer> => post(RESEND, { email });

/** Requests the code to reset a password. Throws like `send`. */
export const requestReset = (email: string) =>
  send('/auth/forgot-password/', { method: 'POST', body: { email }, answer: forgotPasswordAnswer });

/** What the code screen does for each purpose. */
export const VERIFICATION_PATHS: Record<Verification['purpose'], VerificationPath> = {
  'sign-up': {
    // Only this device's sign-up accepts the code, even if others sign up with the same address.
    verify: ({ email, registration }, recoveryCode) => post(VERIFY, { email, recoveryCode, registration }),
    resend: ({ email, registration }) => post(RESEND, { email, registration }),
    // After ten minutes the password is gone, so the user logs in by hand.
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
