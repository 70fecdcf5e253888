import { at } from '#tools/root.mjs';
import { type Balancer, startBalancer } from './balancer.ts';

/** Where HAProxy may be. */
export const HAPROXY = ['haproxy', '/usr/sbin/haproxy'];

/** Web processes that `ops/haproxy.cfg` names. */
const SERVERS = 3;

/** Starts HAProxy with `ops/haproxy.cfg` in front of one to three web processes on this machine. Throws when it is not installed. */
export function startHaproxy(port: number, webPorts: readonly number[]): Promise<Balancer> {
  const portOf = (index: number) => webPorts[index % webPorts.length];
  const addresses = Array.from({ length: SERVERS }, (_, index) => [`TIDEMARK_WEB_${index + 1}`, `127.0.0.1:${portOf(index)}`]);
  const env = { TIDEMARK_BIND: `127.0.0.1:${port}`, ...Object.fromEntries(addresses) };
  return startBalancer({ name: 'HAProxy', paths: HAPROXY, args: ['-db', '-f', at('ops/haproxy.cfg')], env, port });
}
