import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '#tools/root.mjs';
import { findProgram } from '../processes/find-program.mjs';
import { untilAccepts } from '../processes/until-accepts.ts';
import type { Balancer } from './haproxy.ts';

/** Starts Caddy with `ops/Caddyfile`, without certificates, in front of two web processes on this machine. */
export async function startCaddy(port: number, webPorts: readonly [number, number]): Promise<Balancer> {
  const program = findProgram(['caddy', '/usr/bin/caddy']);
  if (!program) throw new Error('Caddy is not installed.');
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-caddy-'));
  const site = readFileSync(at('ops/Caddyfile'), 'utf8')
    .replace('{$TIDEMARK_DOMAIN}', `http://127.0.0.1:${port}`)
    .replace('web-1:8080 web-2:8080', webPorts.map((webPort) => `127.0.0.1:${webPort}`).join(' '));
  const config = join(folder, 'Caddyfile');
  writeFileSync(config, `{\n\tadmin off\n}\n${site}`);
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, ['run', '--config', config, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const early = ended.then(() => Promise.reject(new Error('Caddy ended while starting.')));
  await Promise.race([untilAccepts(port), early]);
  early.catch(() => undefined);
  return {
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
