import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '#tests/attack/attack.ts';
import { createClient } from '#tests/attack/client.ts';
import { signUp } from '#tests/attack/people.ts';
import { type RunningApp, startApp } from '#tests/support/processes/app.ts';
import { startPostgres } from '#tests/support/processes/postgres.ts';
import { connect } from '#tests/support/server/realtime.ts';

/** The goal is one second; a busy machine gets more. */
const LONGEST_MS = 5_000;

/** Signs out at one process. Returns how long a socket at another process stays open, ms, or undefined. */
async function socketLife([one, other]: readonly [RunningApp, RunningApp], email: string): Promise<number | undefined> {
  const { accessToken: token, refreshToken } = await signUp(one, email);
  const socket = await connect(other.url, token);
  try {
    const ended = new Promise<boolean>((resolve) => socket.once('disconnect', () => resolve(true)));
    const began = performance.now();
    await createClient(one.url).call('/api/auth/logout/', { body: { refreshToken }, token });
    return (await Promise.race([ended, pause(LONGEST_MS)])) ? performance.now() - began : undefined;
  } finally {
    socket.disconnect();
  }
}

export const endedSessions: Attack = {
  name: 'the socket of an ended session at another process',
  async run({ signal }) {
    const postgres = await startPostgres();
    if (!postgres) return { tries: 0, isHeld: true, evidence: 'skipped: PostgreSQL is not installed' };
    const apps: RunningApp[] = [];
    try {
      const env = { DATABASE_URL: postgres.url, JWT_SECRET: 'j'.repeat(40), SECRETS_KEY: 's'.repeat(40) };
      const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-attack-'));
      const one = await startApp(env, dataDir);
      apps.push(one);
      const other = await startApp(env);
      apps.push(other);
      const lives: (number | undefined)[] = [];
      for (let round = 0; round < 3 && !signal.aborted; round++) lives.push(await socketLife([one, other], `leaver-${round}@example.com`));
      const longest = lives.some((life) => life === undefined) ? undefined : Math.max(...lives.map(Number));
      return {
        tries: lives.length,
        isHeld: longest !== undefined,
        evidence: longest === undefined ? `still connected after ${LONGEST_MS} ms` : `ended after ${Math.round(longest)} ms at most`,
      };
    } finally {
      await Promise.all(apps.map((app) => app.remove()));
      await postgres.stop();
    }
  },
};
