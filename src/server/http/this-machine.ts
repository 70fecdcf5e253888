import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../config.ts';

/**
 * Whether a request comes from this machine: its peer, every client that a proxy names, and the name it calls us by are
 * loopback. The last one stops pages elsewhere that point their own name at this machine (DNS rebinding).
 */
export function isFromThisMachine({ headers, host, ip, socket }: FastifyRequest): boolean {
  // Proxies are on the machine often, and not always trusted: the address they forward counts all the same.
  if (headers.forwarded !== undefined) return false;
  const forwarded = [headers['x-forwarded-for'], headers['x-real-ip']]
    .flat()
    .flatMap((addresses) => (addresses ?? '').split(','))
    .map((address) => address.trim())
    .filter(Boolean);
  const names = [headers.host, headers['x-forwarded-host'], host].flat().filter((name) => name !== undefined);
  return [socket.remoteAddress ?? '', ip, ...forwarded, ...names.map(nameOf)].every(isLoopback);
}

/** The name of a Host header, without its port; empty where it is none. */
const nameOf = (host: string): string => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '');
