interface LoggedError {
  type: string;
  message: string;
  stack: string;
  [particular: string]: unknown;
}

/** Removes user data from an error: a failed query's message lists its parameters, so only the statement and the cause are logged. */
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
