import type { FastifyRequest } from 'fastify';
import { networksOf } from '#server/http/network.ts';

/** What is kept of the program and the place that opened a session. */
export interface SessionClient {
  name: string;
  /** The wide network, never one address. */
  network: string;
}

export const clientOf = (request: FastifyRequest): SessionClient => ({
  name: clientName(request.headers['user-agent']),
  network: networksOf(request.ip).wide,
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
