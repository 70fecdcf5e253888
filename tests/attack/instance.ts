import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDurable } from '#server/db/durable.ts';
import { type RunningApp, startApp } from '../support/processes/app.ts';
import { createClient } from './client.ts';
import { createBot, goPremium, type Person, signUp } from './people.ts';

/** Accounts that exist beside the people, for attacks on many accounts at once: `holder-N@example.com`. */
export const HOLDERS = 1_000;
const ATTACKERS = 8;
const VICTIMS = 3;

/** Runs one statement in the database of a server that is stopped. */
type Query = (sql: string) => Promise<unknown[]>;

/** A running server whose data is its own. */
export interface Instance {
  readonly app: RunningApp;
  /** Ends the server at once, whatever it is doing. */
  kill(): void;
  remove(): void;
}

/** Data of a server with people in it, which every attack gets a copy of. */
export interface Template {
  readonly attackers: readonly Person[];
  readonly victims: readonly Person[];
  /** Starts a server on a copy. `seed` changes the copy's database before. */
  start(env: Record<string, string>, seed?: (query: Query) => Promise<void>): Promise<Instance>;
  remove(): void;
}

/** A trusted proxy lets one machine speak for many addresses. */
const SETTINGS = { TRUST_PROXY: 'on', LOG_LEVEL: 'error' };

/** Signs people up on a fresh server: victims on the Premium plan, attackers on the Free plan. */
export async function createTemplate(): Promise<Template> {
  const app = await startApp(SETTINGS);
  const client = createClient(app.url);
  const victims: Person[] = [];
  const attackers: Person[] = [];
  try {
    for (let index = 0; index < VICTIMS; index++) victims.push(await signUp(app, `victim-${index}@example.com`));
    for (const victim of victims) await goPremium(client, victim);
    // The engine of the bots starts with the first one: every attack meets it running.
    if (victims[0]) await createBot(client, victims[0], 'Tide');
    for (let index = 0; index < ATTACKERS; index++) attackers.push(await signUp(app, `attacker-${index}@example.com`));
    await app.stop();
    await query(app.dataDir, ADD_HOLDERS);
  } catch (error) {
    await app.remove();
    throw error;
  }

  return {
    attackers,
    victims,
    async start(env, seed) {
      const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-attack-'));
      const remove = () => rmSync(dataDir, { recursive: true, force: true });
      try {
        cpSync(app.dataDir, dataDir, { recursive: true, filter: (source) => !source.endsWith('.sock') });
        await seed?.((sql) => query(dataDir, sql));
        const running = await startApp({ ...SETTINGS, ...env }, dataDir);
        const { pid } = running;
        return { app: running, kill: () => killHard(pid), remove };
      } catch (error) {
        remove();
        throw error;
      }
    },
    remove: () => rmSync(app.dataDir, { recursive: true, force: true }),
  };
}

/** Verified accounts with the password of the people. */
const ADD_HOLDERS = `
  insert into users (email, first_name, last_name, password_hash, verified_at)
  select 'holder-' || n || '@example.com', 'Ada', 'Holder', (select password_hash from users where email = 'attacker-0@example.com'), now()
  from generate_series(0, ${HOLDERS - 1}) as n`;

async function query(dataDir: string, sql: string): Promise<unknown[]> {
  const database = await openDurable(join(dataDir, 'db'));
  try {
    return (await database.query(sql)).rows;
  } finally {
    await database.close();
  }
}

/** Ends a process that may have ended by itself. */
function killHard(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
