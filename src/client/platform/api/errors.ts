import type { ApiErrorBody } from '#contract/errors.ts';

/** The server answered, and said no. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: Record<string, unknown>;

  constructor({ status, code, message, detail }: ApiErrorBody) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail ?? {};
  }
}

/** No answer: no connection, none in time, or one that is not the server's. What was sent may have arrived. */
export class NetworkError extends Error {
  constructor(reason: 'unreachable' | 'timeout') {
    super(
      reason === 'timeout'
        ? 'The server took too long to answer. Please try again.'
        : 'No connection. Please try again when you are online.',
    );
  }
}

/** A sentence for people, whatever was thrown. */
export const errorMessage = (error: unknown): string =>
  error instanceof ApiError || error instanceof NetworkError ? error.message : 'Something went wrong. Please try again.';
