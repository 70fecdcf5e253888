import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '../config.ts';
import { type Networks, networksOf } from '../http/network.ts';

/** Names the networks that a handshake comes from, by the rule of `request.ip`: forwarded addresses count behind trusted proxies only. */
export function createPeerNetworks(trustProxy: Config['trustProxy']): (request: IncomingMessage) => Networks {
  const trusts = trustProxy ? proxyAddr.compile(trustProxy) : () => false;
  return (request) => networksOf(proxyAddr(request, trusts) ?? '');
}
