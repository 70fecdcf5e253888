import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '../config.ts';
import { type Networks, networksOf } from '../http/network.ts';

/** Returns a handshake's networks by the rule of `request.ip`: forwarded addresses count only behind trusted proxies. */
export function createPeerNetworks(trustProxy: Config['trustProxy']): (request: IncomingMessage) => Networks {
  const trusts = trustProxy ? proxyAddr.compile(trustProxy) : () => false;
  return (request) => networksOf(proxyAddr(request, trusts) ?? '');
}
