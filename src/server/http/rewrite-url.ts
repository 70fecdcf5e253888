import type { IncomingMessage } from 'node:http';

/** Escapes a path with invalid percent-encoding. Otherwise the router would respond before any hook adds security headers. */
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
