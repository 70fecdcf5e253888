import { RE_AUTHENTICATION_REQUIRED } from '#contract/account/sessions.ts';
import { ApiError } from '../api/errors.ts';

const NOT_CONFIRMED = 'not_confirmed';

let answer: ((isGiven: boolean) => void) | undefined;
let asked: Promise<boolean> | undefined;
const listeners = new Set<() => void>();

function tell() {
  for (const listener of [...listeners]) listener();
}

/** Whether the user is being asked for the current password. */
export const isProofAsked = (): boolean => asked !== undefined;

export function onProofAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Ends the question: the server has the password, or the user has left it. */
export function endProof(isGiven: boolean): void {
  answer?.(isGiven);
  answer = undefined;
  asked = undefined;
  tell();
}

/** Asks once, however many calls wait for it. */
function askForProof(): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    answer = resolve;
  });
  tell();
  return asked;
}

/**
 * Makes a request; where the server first wants the current password, asks for it and makes the same request again, once.
 * Throws what the request throws, and an error of its own (`isNotConfirmed`) where the user leaves the question.
 */
export async function withProof<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== RE_AUTHENTICATION_REQUIRED) throw error;
    if (await askForProof()) return request();
    throw new ApiError({ status: 403, code: NOT_CONFIRMED, message: 'Nothing was changed. You did not confirm your password.' });
  }
}

/** The user left the question: nothing has happened. */
export const isNotConfirmed = (error: unknown): error is ApiError => error instanceof ApiError && error.code === NOT_CONFIRMED;
