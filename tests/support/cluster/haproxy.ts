import { at } from '#tools/root.mjs';
import { type Balancer, startBalancer } from './balancer.ts';

/** Where HAProxy may be. */
export const HAPROXY = ['haproxy', '/usr/sbin/haproxy'];

/** Starts HAProxy with `ops/haproxy.cfg` in front of three web processes on this machine. Throws when it is not installed. */
export function startHaproxy(port: number, webPorts: readonly number[]): Promise<Balancer> {
  const addresses = webPorts.map((webPort, index) => [`TIDEMARK_WEB_${index + 1}`, `127.0.0.1:${webPort}`]);
  const env = { TIDEMARK_BIND: `127.0.0.1:${port}`, ...Object.fromEntries(addresses) };
  return startBalancer({ name: 'HAProxy', paths: HAPROXY, args: ['-db', '-f', at('ops/haproxy.cfg')], env, port });
}
