import { ApiError } from '#client/platform/api/errors.ts';

/** Tells a final refusal from a failure after which the server may still have done what was asked. */
export const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

export type WithIdempotencyKey = <Answer>(command: string, send: (key: string) => Promise<Answer>) => Promise<Answer>;

/** Creates a sender that reuses a command's idempotency key until the server has answered it. */
export function createIdempotencyKeys(): WithIdempotencyKey {
  const keys = new Map<string, string>();
  return async (command, send) => {
    const key = keys.get(command) ?? crypto.randomUUID();
    keys.set(command, key);
    try {
      const answer = await send(key);
      keys.delete(command);
      return answer;
    } catch (error) {
      if (isRefusal(error)) keys.delete(command);
      throw error;
    }
  };
}
