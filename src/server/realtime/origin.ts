import type { IncomingMessage } from 'node:http';

/** Returns whether a page may open the socket: from an allowed origin or the server's own host. Clients other than browsers send */
/** no origin; the token authenticates them. */
export function originAllowed({ headers }: Pick<IncomingMessage, 'headers'>, allowed: ReadonlySet<string>): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  return allowed.has(page.origin) || page.host === host;
}
