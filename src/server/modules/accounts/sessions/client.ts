import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** What is kept of the program and the place that opened a session. */
export interface SessionClient {
  name: string;
  network: string;
}

export const clientOf = (request: FastifyRequest): SessionClient => ({
  name: clientName(request.headers['user-agent']),
  network: networkPrefix(request.ip),
});

/** Longer headers are cut before they are read. */
const MAX_USER_AGENT = 512;

/** Marks in a User-Agent; the first that is found counts, because most browsers also name those they are built like. */
const BROWSERS = [
  [['Edg/', 'EdgA/', 'EdgiOS/'], 'Edge'],
  [['OPR/', 'OPT/', 'Opera'], 'Opera'],
  [['SamsungBrowser/'], 'Samsung Internet'],
  [['Firefox/', 'FxiOS/'], 'Firefox'],
  [['Chrome/', 'CriOS/', 'Chromium/'], 'Chrome'],
  [['Safari/'], 'Safari'],
] as const;
const SYSTEMS = [
  [['iPhone', 'iPod'], 'iPhone'],
  [['iPad'], 'iPad'],
  [['Android'], 'Android'],
  [['CrOS'], 'ChromeOS'],
  [['Windows'], 'Windows'],
  [['Macintosh', 'Mac OS X'], 'Mac'],
  [['Linux', 'X11'], 'Linux'],
] as const;

/** Browser and system in words of our own, such as `Chrome on Android`; nothing of the header itself is kept. */
export function clientName(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT);
  const find = (known: typeof BROWSERS | typeof SYSTEMS) => known.find(([marks]) => marks.some((mark) => text.includes(mark)))?.[1];
  const browser = find(BROWSERS) ?? 'Unknown browser';
  const system = find(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}

/** The /24 of an IPv4 address and the /48 of an IPv6 address, as text; `unknown` for anything else. */
export function networkPrefix(ip: string): string {
  const [address = ''] = ip.split('%', 1);
  const mapped = /^::ffff:([\d.]{7,15})$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(mapped)) return 'unknown';
  // The URL parser writes an address in its one short form, with at most one `::`.
  const [head = '', tail] = new URL(`http://[${mapped}]`).hostname.slice(1, -1).split('::');
  const groups = head ? head.split(':') : [];
  const end = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - end.length;
  const prefix = [...groups, ...Array.from({ length: zeros }, () => '0'), ...end].slice(0, 3);
  while (prefix.at(-1) === '0') prefix.pop();
  return `${prefix.join(':')}::/48`;
}
