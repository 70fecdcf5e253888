import { isPrivateLiteral } from '../outgoing/public-address.ts';

/**
 * Returns the address of a push service that a browser named, or undefined if nothing may be sent there: only https and public hosts, apart
 * from the trusted origins. A name is checked again when it is resolved.
 */
export function pushUrl(endpoint: string, trusted: readonly string[]): URL | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  if (trusted.includes(url.origin)) return url;
  const isOpen = url.protocol === 'https:' && url.username === '' && url.password === '';
  return isOpen && !isPrivateLiteral(url) ? url : undefined;
}
