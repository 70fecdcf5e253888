/** A request of the main API. */
export interface EarlyRequest {
  method: string;
  path: string;
  /** As sent. */
  body: string | undefined;
}

/** A request that the first script (src/client/first-script) has sent while the main script loaded. */
export interface EarlyAnswer extends EarlyRequest {
  accessToken: string;
  /** ms, as `performance.now`. */
  sentAt: number;
  response: Promise<Response>;
}

/** An older answer is not used, ms. */
const MAX_AGE = 30_000;

/** Where both scripts meet. `null`: taken or no longer wanted, so the first script sends nothing. */
const page = globalThis as { earlyAnswer?: EarlyAnswer | null };

/** Sends the request with the first script's `send`, unless the app has made or dropped it. */
export function keepEarlyAnswer(request: EarlyRequest, accessToken: string, send: () => Promise<Response>): void {
  if (page.earlyAnswer !== undefined) return;
  const response = send();
  response.catch(() => undefined); // the app reports the error when it takes the answer
  page.earlyAnswer = { ...request, accessToken, sentAt: performance.now(), response };
}

/** Returns whether an answer of this path is under way that no request has taken. */
export const isUnderWay = (path: string | undefined): boolean => path !== undefined && page.earlyAnswer?.path === path;

/** Forgets the answer: from here on, changes by the user may have made it obsolete. */
export function dropEarlyAnswer(): void {
  page.earlyAnswer = null;
}

/**
 * Returns the answer that is under way to exactly this request with exactly this token, once; else undefined. A request
 * with another token drops it, because the session has changed.
 */
export function takeEarlyAnswer({ method, path, body }: EarlyRequest, accessToken: string | undefined): Promise<Response> | undefined {
  const early = page.earlyAnswer;
  if (!accessToken || early === null) return undefined;
  const isSame = early?.method === method && early.path === path && early.body === body;
  const isUsable = early?.accessToken === accessToken && performance.now() - early.sentAt < MAX_AGE;
  // Without an answer yet, the first script must not ask again for what this request asks.
  if (isSame || !isUsable) dropEarlyAnswer();
  return isSame && isUsable ? early.response : undefined;
}
