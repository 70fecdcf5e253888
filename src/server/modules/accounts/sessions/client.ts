import type { FastifyRequest } from 'fastify';
import { networksOf } from '#server/http/network.ts';

/** What a session stores about its device. */
export interface SessionClient {
  name: string;
  /** The network prefix (`Networks.wide`), never the full address. */
  network: string;
}

export const clientOf = (request: FastifyRequest): SessionClient => ({
  name: clientName(request.headers['user-agent']),
  network: networksOf(request.ip).wide,
});

/** Characters of the header that are read. */
const MAX_USER_AGENT = 512;

/** Tokens in a User-Agent. The first match wins, because most browsers also name those they imitate. */
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

/** Returns browser and system, such as `Chrome on Android`. Nothing of the header itself is stored. */
export function clientName(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT);
  const find = (known: typeof BROWSERS | typeof SYSTEMS) => known.find(([marks]) => marks.some((mark) => text.includes(mark)))?.[1];
  const browser = find(BROWSERS) ?? 'Unknown browser';
  const system = find(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
