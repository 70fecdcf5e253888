import type { IncomingMessage } from 'node:http';

/**
 * Whether a page may open the socket: one of ours (`allowed` are whole origins), or one from the very host it calls.
 * Programs other than browsers send no origin; the token decides about them.
 */
export function originAllowed({ headers }: Pick<IncomingMessage, 'headers'>, allowed: ReadonlySet<string>): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  return allowed.has(page.origin) || page.host === host;
}
