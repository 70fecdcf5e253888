/** Returns a link's target if it is a page of this app or an http(s) site; undefined for anything else. */
export function safeLink(href: string, origin = location.origin): { href: string; external: boolean } | undefined {
  if (!URL.canParse(href, origin)) return undefined;
  const url = new URL(href, origin);
  if (url.origin === origin) return { href: url.pathname + url.search + url.hash, external: false };
  return url.protocol === 'https:' || url.protocol === 'http:' ? { href: url.href, external: true } : undefined;
}
