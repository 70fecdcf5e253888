import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDurable } from '#server/db/embedded/durable.ts';
import { type RunningServer, startApp } from '../support/processes/app.ts';
import { createClient } from './client.ts';
import { createBot, goPremium, type Person, signUp } from './people.ts';

/** Number of further accounts, `holder-N@example.com`, for attacks on many accounts. */
export const HOLDERS = 1_000;
const ATTACKERS = 8;
const VICTIMS = 3;

/** Runs one statement in the database of a stopped server. */
type Query = (sql: string) => Promise<unknown[]>;

/** A running server with its own data. */
export interface Instance {
  readonly app: RunningServer;
  /** Kills the server. */
  kill(): void;
  remove(): void;
}

/** Server data with users in it. Every attack gets a copy. */
export interface Template {
  readonly attackers: readonly Person[];
  readonly victims: readonly Person[];
  /** Starts a server on a copy, after `seed` has changed its database. */
  start(env: Record<string, string>, seed?: (query: Query) => Promise<void>): Promise<Instance>;
  remove(): void;
}

/** Trusting a proxy lets this machine send requests from many addresses. */
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
    // The bot engine starts with the first bot, so that it runs during every attack.
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

/** Adds verified accounts with the same password. */
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

/** Kills a process that may have exited. */
function killHard(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // The process has exited.
  }
}
