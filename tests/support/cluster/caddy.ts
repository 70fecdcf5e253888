import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '#tools/root.mjs';
import { type Balancer, startBalancer } from './balancer.ts';

/** Where Caddy may be. */
export const CADDY = ['caddy', '/usr/bin/caddy'];

/** Starts Caddy with `ops/Caddyfile`, without certificates, in front of two web processes on this machine. Throws when it is not installed. */
export async function startCaddy(port: number, webPorts: readonly [number, number]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-caddy-'));
  const site = readFileSync(at('ops/Caddyfile'), 'utf8')
    .replace('{$TIDEMARK_DOMAIN}', `http://127.0.0.1:${port}`)
    .replace('web-1:8080 web-2:8080', webPorts.map((webPort) => `127.0.0.1:${webPort}`).join(' '));
  const config = join(folder, 'Caddyfile');
  writeFileSync(config, `{\n\tadmin off\n}\n${site}`);
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const args = ['run', '--config', config, '--adapter', 'caddyfile'];
  const remove = () => rmSync(folder, { recursive: true });
  try {
    const { stop } = await startBalancer({ name: 'Caddy', paths: CADDY, args, env, port });
    return { stop: () => stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
