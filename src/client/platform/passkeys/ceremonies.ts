import { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';
import {
  confirmOptionsAnswer,
  creationOptionsAnswer,
  PASSKEY_EXPIRED,
  type Passkey,
  passkeyAnswer,
  type RequestOptions,
  requestOptionsAnswer,
} from '#contract/account/passkeys.ts';
import { type Tokens, tokensAnswer } from '#contract/account/tokens.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { call } from '../api/call.ts';
import { ApiError, errorMessage } from '../api/errors.ts';
import { send } from '../api/send.ts';
import { withProof } from '../session/re-authentication.ts';

/** Lets the browser make a passkey and adds it. Throws like `call`, or what `passkeyProblem` explains. */
export async function addPasskey(): Promise<Passkey> {
  const options = await withProof(() => call('/auth/passkeys/options/', { method: 'POST', answer: creationOptionsAnswer }));
  const credential = await startRegistration({ optionsJSON: options.data as Parameters<typeof startRegistration>[0]['optionsJSON'] });
  const { data } = await call('/auth/passkeys/', { method: 'POST', body: { credential }, answer: passkeyAnswer });
  return data;
}

/** Returns what a confirmation signs; null for a user without a passkey. Throws like `call`. */
export const readConfirmOptions = async (): Promise<RequestOptions | null> =>
  (await call('/auth/passkeys/confirm-options/', { method: 'POST', answer: confirmOptionsAnswer })).data;

/** Confirms for this session what the password confirms. Throws like `addPasskey`. */
export async function confirmByPasskey(options: RequestOptions): Promise<void> {
  const credential = await ask(options);
  await call('/auth/passkeys/confirm/', { method: 'POST', body: { credential }, answer: messageAnswer });
}

/** Returns what a sign-in signs. Throws like `send`. */
export const readSignInOptions = async (): Promise<RequestOptions> =>
  (await send('/auth/passkeys/sign-in-options/', { method: 'POST', answer: requestOptionsAnswer })).data;

/** Signs in by a passkey. `inAutofill` waits until the user picks one in the address field. Throws like `addPasskey`. */
export async function signInByPasskey(options: RequestOptions, inAutofill = false): Promise<Tokens> {
  const credential = await ask(options, inAutofill);
  return (await send('/auth/passkeys/sign-in/', { method: 'POST', body: { credential }, answer: tokensAnswer })).data;
}

const ask = (options: RequestOptions, useBrowserAutofill = false) =>
  startAuthentication({ optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'], useBrowserAutofill });

/** Ends what waits for the user. */
export const cancelPasskey = (): void => WebAuthnAbortService.cancelCeremony();

/** What browsers name the end of their dialog: the user left it, or it timed out. They do not tell these apart. */
const LEFT = ['NotAllowedError', 'AbortError'];
const MESSAGES: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys do not work at this address. Open the app at its own address.',
  NotSupportedError: 'This device cannot make a passkey that asks for your fingerprint, face or PIN.',
  ConstraintError: 'This device cannot make a passkey that asks for your fingerprint, face or PIN.',
};

export const isLeft = (error: unknown): boolean => error instanceof Error && LEFT.includes(error.name);
export const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === PASSKEY_EXPIRED;

/** Returns a message for the user. `left` is for a dialog that ended without a passkey. */
export function passkeyProblem(error: unknown, left: string): string {
  if (isLeft(error)) return left;
  return (error instanceof Error && MESSAGES[error.name]) || errorMessage(error);
}
