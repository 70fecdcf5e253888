interface LoggedError {
  type: string;
  message: string;
  stack: string;
  [particular: string]: unknown;
}

/**
 * What the log keeps of an error. A failed query's own message lists its parameters, and a driver's details quote
 * rows, so of those only the statement and the cause's words are kept.
 */
export function errorForLog(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error', stack: '' };
  const query = 'query' in error && 'params' in error ? error.query : undefined;
  const origin = query !== undefined && error.cause instanceof Error ? error.cause : error;
  const hidden = origin === error && query !== undefined;
  return {
    type: origin.name,
    message: hidden ? 'query failed' : origin.message,
    stack: hidden ? '' : (origin.stack ?? ''),
    ...('code' in origin && { code: origin.code }),
    ...(query !== undefined && { query }),
  };
}
