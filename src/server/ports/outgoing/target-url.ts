import { isPrivateLiteral } from './public-address.ts';

/**
 * Returns the address that a user or a browser named, or undefined if nothing may be sent there: only https and public hosts, apart from the
 * trusted origins, and never with a password. A name is checked again when it is resolved.
 */
export function targetUrl(text: string, trusted: readonly string[]): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return undefined;
  return trusted.includes(url.origin) || (url.protocol === 'https:' && !isPrivateLiteral(url)) ? url : undefined;
}
