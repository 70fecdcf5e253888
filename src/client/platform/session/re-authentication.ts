import { RE_AUTHENTICATION_REQUIRED } from '#contract/account/sessions.ts';
import { ApiError } from '../api/errors.ts';
import { createValue } from '../create-value.ts';
import { useValue } from '../use-value.ts';

const NOT_CONFIRMED = 'not_confirmed';

let resolveAnswer: ((isConfirmed: boolean) => void) | undefined;
/** The user's answer, while the app asks for the current password. */
const pendingAnswer = createValue<Promise<boolean> | undefined>(undefined);

/** Returns whether the app is asking for the current password. */
export const useIsPasswordAsked = (): boolean => useValue(pendingAnswer) !== undefined;

/** Closes the question: the server accepted the password, or the user left. */
export function endPasswordQuestion(isConfirmed: boolean): void {
  resolveAnswer?.(isConfirmed);
  resolveAnswer = undefined;
  pendingAnswer.set(undefined);
}

/** Asks for the current password once, however many calls wait for the answer. */
function askForPassword(): Promise<boolean> {
  const answer =
    pendingAnswer.get() ??
    new Promise<boolean>((resolve) => {
      resolveAnswer = resolve;
    });
  pendingAnswer.set(answer);
  return answer;
}

/**
 * Makes a request. If the server requires the current password, asks for it and repeats the request once.
 * Throws what the request throws, or an error for `isNotConfirmed` if the user leaves the question.
 */
export async function withProof<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== RE_AUTHENTICATION_REQUIRED) throw error;
    if (await askForPassword()) return request();
    throw new ApiError({ status: 403, code: NOT_CONFIRMED, message: 'Nothing was changed. You did not confirm your password.' });
  }
}

/** Returns whether the user left the question, so that nothing has changed. */
export const isNotConfirmed = (error: unknown): error is ApiError => error instanceof ApiError && error.code === NOT_CONFIRMED;
