import type { ApiErrorBody } from '#contract/errors.ts';

/** An error that the caller sees. All others become a 500 without details. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly detail?: Record<string, unknown>,
  ) {
    super(message);
  }

  body(): ApiErrorBody {
    return { status: this.status, code: this.code, message: this.message, ...(this.detail && { detail: this.detail }) };
  }
}

export const badRequest = (code: string, message: string, detail?: Record<string, unknown>) => new Problem(400, code, message, detail);
export const unauthorized = (message = 'Please log in again.') => new Problem(401, 'unauthorized', message);
export const forbidden = (code: string, message: string) => new Problem(403, code, message);
/** Also used for other users' rows, so that their existence is not revealed. */
export const notFound = (message = 'Not found.') => new Problem(404, 'not_found', message);
/** Answers for a coin that only exchanges have figures of, which have not answered yet. */
export const awaitsExchanges = (coin: string) =>
  new Problem(404, 'awaits_exchanges', `Only exchanges have figures of ${coin}. They have not answered yet.`);
/** Answers an operator who names an unknown user. */
export const noSuchUser = () => notFound('There is no such user.');
export const tooMany = (message = 'Too many attempts. Please wait a moment and try again.') =>
  new Problem(429, 'too_many_requests', message);
/** The server has too much of this work; the answer has `Retry-After`. */
export const busy = (message: string) => unavailable(BUSY, message);
export const BUSY = 'busy';
export const unavailable = (code: string, message: string) => new Problem(503, code, message);
