import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { freePort } from './free-port.ts';
import { findUser, type Postgres } from './postgres.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** Starts PgBouncer in transaction mode in front of a PostgreSQL, with Debian's defaults otherwise; undefined if it is not installed. */
export async function startPgBouncer({ url }: Postgres): Promise<Postgres | undefined> {
  const user = findUser();
  if (!fs.existsSync(PROGRAM) || !user) return undefined;
  const target = new URL(url);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-bouncer-'));
  if (user.uid !== undefined) fs.chownSync(folder, user.uid, user.gid ?? user.uid);
  const port = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${target.port} user=${target.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
  ];
  fs.writeFileSync(file, lines.join('\n'));
  const bouncer = spawn(PROGRAM, [file], { ...user, stdio: 'ignore', cwd: folder });
  const through = new URL(url);
  through.port = String(port);
  const { default: pg } = await import('pg');
  await vi.waitFor(
    async () => {
      const client = new pg.Client({ connectionString: through.href });
      client.on('error', () => undefined);
      await client.connect();
      await client.end();
    },
    { timeout: 30_000, interval: 100 },
  );
  return {
    url: through.href,
    async stop() {
      const ended = once(bouncer, 'exit');
      bouncer.kill('SIGKILL');
      await ended;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
