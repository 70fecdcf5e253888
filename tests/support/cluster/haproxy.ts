import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { at } from '#tools/root.mjs';
import { findProgram } from '../processes/find-program.mjs';
import { untilAccepts } from '../processes/until-accepts.ts';

export interface Balancer {
  stop(): Promise<void>;
}

/** Starts HAProxy with `ops/haproxy.cfg` in front of three web processes on this machine. Throws when it is not installed. */
export async function startHaproxy(port: number, webPorts: readonly number[]): Promise<Balancer> {
  const program = findProgram(['haproxy', '/usr/sbin/haproxy']);
  if (!program) throw new Error('HAProxy is not installed: a cluster needs it.');
  const addresses = webPorts.map((webPort, index) => [`TIDEMARK_WEB_${index + 1}`, `127.0.0.1:${webPort}`]);
  const env = { TIDEMARK_BIND: `127.0.0.1:${port}`, ...Object.fromEntries(addresses) };
  const child = spawn(program, ['-db', '-f', at('ops/haproxy.cfg')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'exit');
  const early = ended.then(([code]) => Promise.reject(new Error(`HAProxy ended with ${code} while starting: ${said}`)));
  await Promise.race([untilAccepts(port), early]);
  early.catch(() => undefined);
  return {
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
