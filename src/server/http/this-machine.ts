import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../config.ts';

/** Returns whether the peer, all forwarded clients and the Host header are loopback. The Host check stops DNS rebinding. */
export function isFromThisMachine({ headers, host, ip, socket }: FastifyRequest): boolean {
  // Proxies often run on this machine, trusted or not, so forwarded addresses count either way.
  if (headers.forwarded !== undefined) return false;
  const forwarded = [headers['x-forwarded-for'], headers['x-real-ip']]
    .flat()
    .flatMap((addresses) => (addresses ?? '').split(','))
    .map((address) => address.trim())
    .filter(Boolean);
  const names = [headers.host, headers['x-forwarded-host'], host].flat().filter((name) => name !== undefined);
  return [socket.remoteAddress ?? '', ip, ...forwarded, ...names.map(nameOf)].every(isLoopback);
}

/** Returns the host name of a Host header; empty when it is invalid. */
const nameOf = (host: string): string => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '');
