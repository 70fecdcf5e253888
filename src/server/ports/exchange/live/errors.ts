import { ExchangeError, type ExchangeTrouble } from '../exchange.ts';

/** @param how why there is no answer, as users read it. */
export const noAnswer = (write: boolean, { how, code }: { how?: string; code?: number } = {}): ExchangeError => {
  const end = how === undefined ? '.' : `: ${how}.`;
  return write
    ? new ExchangeError('unclear', `The exchange did not confirm the request${end}`, code)
    : new ExchangeError('unavailable', `The exchange could not be reached${end}`, code);
};

export const hasCode = (error: unknown, ...codes: number[]): boolean =>
  error instanceof ExchangeError && error.code !== undefined && codes.includes(error.code);

/** Waits for a change, and accepts codes which say that it was already in place. */
export async function applyChange(what: Promise<unknown>, unchanged: readonly number[]): Promise<void> {
  await what.catch((error: unknown) => {
    if (!hasCode(error, ...unchanged)) throw error;
  });
}

interface Codes {
  /** Meaning of an exchange's codes, with a text for users. An unlisted code is `rejected` for a write, and `unavailable` for a read. */
  meaning: Readonly<Record<number, readonly [ExchangeTrouble, string]>>;
  /** Codes with which the exchange does not know the outcome itself. */
  unsure: readonly number[];
}

/** Creates the reader of an exchange's codes. */
export const createCodes = ({ meaning, unsure }: Codes) => ({
  /** @param write whether the call could change something: then an unknown outcome is `unclear`. */
  troubleOf(code: number, write: boolean): ExchangeError {
    if (unsure.includes(code)) return noAnswer(write, { how: `it does not know the outcome (code ${code})`, code });
    const [trouble, words] = meaning[code] ?? [write ? 'rejected' : 'unavailable', 'The exchange refused the request.'];
    return new ExchangeError(trouble, `${words} (code ${code})`, code);
  },

  /** Whether a code is about the key, the account or the exchange, rather than the request's subject. */
  isGeneral: (code: number): boolean => code in meaning || unsure.includes(code),
});
