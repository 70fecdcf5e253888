import { cancelPasskey, isLeft, passkeyProblem, readSignInOptions, signInByPasskey } from '#client/platform/passkeys/ceremonies.ts';
import { MINUTE } from '#domain/clock.ts';
import { enter } from './log-in.ts';

/** Age at which options are replaced, ms: the server accepts them for five minutes. */
const OPTIONS_LIFE = 4 * MINUTE;

/** The dialog that the button opened. */
let open: Promise<unknown> | undefined;

/** Opens the browser's dialog and signs in. Returns a problem to show, or undefined. */
export async function logInByPasskey(remember: boolean): Promise<string | undefined> {
  const attempt = readSignInOptions()
    .then(async (options) => {
      // Suggestions ask this before they start, and a later start ends an earlier one: those that asked first start first.
      await PublicKeyCredential.isConditionalMediationAvailable?.();
      return signInByPasskey(options);
    })
    .then((tokens) => enter(tokens, remember));
  open = attempt.catch(() => undefined);
  try {
    await attempt;
    return undefined;
  } catch (error) {
    return passkeyProblem(error, 'No passkey was used. Try again, or log in with your password.');
  } finally {
    open = undefined;
  }
}

interface Offer {
  /** The choice of Remember Me. */
  remember: () => boolean;
  onProblem: (problem: string) => void;
  /** Ends the offer. */
  signal: AbortSignal;
}

/** Offers passkeys in the suggestions of the address field, until one is used or `signal` ends it. Says nothing of its own failures. */
export async function offerPasskeys({ remember, onProblem, signal }: Offer): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  signal.addEventListener('abort', cancelPasskey);
  while (!signal.aborted) {
    await whenVisible(signal);
    let isOld = false;
    let renewal: ReturnType<typeof setTimeout> | undefined;
    try {
      const options = await readSignInOptions();
      if (signal.aborted) return;
      // The button's dialog and the suggestions exclude each other.
      await open;
      renewal = setTimeout(() => {
        isOld = true;
        cancelPasskey();
      }, OPTIONS_LIFE);
      return await enter(await signInByPasskey(options, true), remember());
    } catch (error) {
      if (signal.aborted) return;
      const isReplaced = isOld || open !== undefined;
      if (open) await open;
      if (isReplaced) continue;
      // A refused passkey is what the user chose; the rest is ours.
      if (isLeft(error) || !isRefusal(error)) return;
      onProblem(passkeyProblem(error, ''));
    } finally {
      clearTimeout(renewal);
    }
  }
}

const isRefusal = (error: unknown): boolean => error instanceof Error && 'status' in error && error.status === 400;

const whenVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (!document.hidden) return resolve();
    const look = () => !document.hidden && resolve();
    document.addEventListener('visibilitychange', look, { signal });
    signal.addEventListener('abort', () => resolve());
  });
