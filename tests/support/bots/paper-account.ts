import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Db, openDb } from '#server/db/open.ts';
import type { ExchangeAccount } from '#server/ports/exchange/exchange.ts';
import { createPaperExchange } from '#server/ports/exchange/paper/paper-exchange.ts';
import type { SimulatedFeed } from '#server/ports/exchange/simulated-feed.ts';
import { copyDatabase } from '../server/empty-database.ts';
import { plantBots } from './bot-rig.ts';

const DEMO_KEYS = { key: 'paper-demo-key', secret: 'paper-demo-secret' };

export interface TestDb {
  readonly db: Db;
  /** Closes and reopens the database. */
  reopen(): Promise<void>;
  remove(): Promise<void>;
}

/** Opens an empty, migrated database in a new directory. */
export async function openTestDb(): Promise<TestDb> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-paper-'));
  copyDatabase(dataDir);
  const open = () => openDb({ databaseUrl: undefined, dataDir });
  let opened = await open();
  return {
    get db() {
      return opened.db;
    },
    async reopen() {
      await opened.close();
      opened = await open();
    },
    async remove() {
      await opened.close();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Inserts one bot and returns its id. */
export async function plantBot(db: Db): Promise<string> {
  return (await plantBots(db, 1))[0] ?? randomUUID();
}

/** Opens a bot's account, as a new process would. */
export const paperAccount = (db: Db, feed: SimulatedFeed, botId: string, capital = 1000, keys = DEMO_KEYS): ExchangeAccount =>
  createPaperExchange({ db, feed }).account(keys, { userId: 'unknown', botId, capital });
