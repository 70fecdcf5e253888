/** Returns in one line why work failed. drizzle's own message is the whole statement, its cause the database's error. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split('\n')[0]?.slice(0, 300) || 'unknown error';
}
