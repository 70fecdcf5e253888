import type { IncomingMessage } from 'node:http';

/**
 * A path that is not valid percent-encoding is taken literally. Otherwise the router would answer it before any hook
 * has run: no page for a navigation, no security headers.
 */
export function rewriteUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
