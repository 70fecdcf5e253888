/** Where a link of an answer may lead: a page of ours, or another site over http(s). Anything else is no link. */
export function safeLink(href: string, origin = location.origin): { href: string; external: boolean } | undefined {
  if (!URL.canParse(href, origin)) return undefined;
  const url = new URL(href, origin);
  if (url.origin === origin) return { href: url.pathname + url.search + url.hash, external: false };
  return url.protocol === 'https:' || url.protocol === 'http:' ? { href: url.href, external: true } : undefined;
}
