import type { ApiErrorBody } from '#contract/errors.ts';
import { isNotStored } from '../db/not-stored.ts';

/** The server answered with an error. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: Record<string, unknown>;
  /** Seconds that the server asks to wait before the next try; NaN if it asks for none. */
  readonly retryAfter: number;

  constructor({ status, code, message, detail }: ApiErrorBody, retryAfter = Number.NaN) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail ?? {};
    this.retryAfter = retryAfter;
  }
}

/** Returns whether the server does not have what was asked for. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** No answer from our server, for want of a connection or in time. The request may have arrived all the same. */
export class NetworkError extends Error {
  constructor(reason: 'unreachable' | 'timeout') {
    super(
      reason === 'timeout'
        ? 'The server took too long to answer. Please try again.'
        : 'No connection. Please try again when you are online.',
    );
  }
}

/** Returns a message for the user, whatever was thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError || error instanceof NetworkError) return error.message;
  return isNotStored(error)
    ? 'The answer could not be stored on this device. Free some space and try again.'
    : 'Something went wrong. Please try again.';
}
