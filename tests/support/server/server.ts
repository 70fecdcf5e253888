import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { RegisterBody } from '#contract/account/account.ts';
import { type Tokens, tokensAnswer } from '#contract/account/tokens.ts';
import { type User, userAnswer } from '#contract/account/user.ts';
import { READY_PATH } from '#contract/paths.ts';
import { createAfterResponse } from '#server/after-response.ts';
import { buildApp } from '#server/app.ts';
import { type Config, readConfig } from '#server/config.ts';
import { type Db, openDb } from '#server/db/open.ts';
import type { DatabaseLimits } from '#server/db/postgres/open-postgres.ts';
import { users } from '#server/db/schema/users.ts';
import { createJobs } from '#server/jobs/jobs.ts';
import { hashPassword } from '#server/modules/accounts/passwords.ts';
import type { Parts } from '#server/parts.ts';
import type { Analyst } from '#server/ports/analyst/analyst.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { outboxDir } from '#server/ports/mail/file-outbox.ts';
import { openMail } from '#server/ports/mail/open-mail.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { openPayments } from '#server/ports/payments/open-payments.ts';
import { inlineBacktests } from '../bots/inline-backtests.ts';
import { quietExchange } from '../bots/quiet-exchange.ts';
import { scriptedAnalyst } from '../chat/scripted-analyst.ts';
import { mailReader } from '../mail/mail-folder.ts';
import { copyDatabase } from './empty-database.ts';

export const PASSWORD = 'Secret1!';

export interface SignedUp {
  user: User;
  tokens: Tokens;
  /** The value of an Authorization header. */
  authorization: string;
  password: string;
}

export interface TestServer {
  url: string;
  app: FastifyInstance;
  config: Config;
  db: Db;
  dataDir: string;
  /** Waits for the next unread code mailed to an address. */
  mail(email: string): Promise<string>;
  /** Posts JSON to a path below /api. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Resolves when all work that follows an answer, such as mail, is done. */
  settled(): Promise<void>;
  /** Creates a verified user and logs in over HTTP. `registration.test.ts` tests how users come to be. */
  signUp(overrides?: Partial<RegisterBody>, headers?: Record<string, string>): Promise<SignedUp>;
  close(): Promise<void>;
}

export interface Overrides extends Partial<Omit<Parts, 'config' | 'db'>> {
  /** Environment variables. */
  env?: Record<string, string>;
  /** Opens the exchange that bots trade on; by default its price never moves. */
  exchangeOn?: (db: Db) => Exchange;
  /** Opens the market on the server's database; by default a demo market without the bots' prices. */
  marketOn?: (db: Db, config: Config) => MarketData;
  /** Opens the analyst on the server's market. */
  analystOn?: (market: MarketData) => Analyst;
  /** False for a server that may never hear of changes of other processes. */
  awaitsListener?: boolean;
  databaseLimits?: DatabaseLimits;
}

/** Hashes by password: hundreds of users have the same one. */
const hashes = new Map<string, Promise<string>>();

function hashOf(password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, known);
  return known;
}

/** How long a server may take to hear of other processes' changes, ms. It starts without that after a second. */
const LISTEN_LIMIT = 30_000;

async function untilListening(url: string): Promise<void> {
  for (const end = Date.now() + LISTEN_LIMIT; Date.now() < end; await pause(50)) {
    const { detail } = (await (await fetch(url + READY_PATH)).json()) as { detail?: { failed: string[] } };
    if (!detail?.failed.includes('listener')) return;
  }
  throw new Error('The server does not hear of changes of other processes.');
}

/** Starts a real server on a free port with a new data directory. Closing it deletes the directory. */
export async function startServer({ env = {}, exchangeOn = quietExchange, ...rest }: Overrides = {}): Promise<TestServer> {
  const { marketOn, analystOn = scriptedAnalyst, awaitsListener = true, databaseLimits = {}, ...overrides } = rest;
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-test-'));
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal', MARKET: 'demo', ...env });
  if (!config.databaseUrl) copyDatabase(dataDir);
  const { db, pool, queue, close } = await openDb({ ...config, databaseLimits });
  const clock = overrides.clock ?? Date.now;
  const afterResponse = createAfterResponse((error) => console.error(error));
  const demo = () => createDemoMarket({ clock, seed: config.marketSeed, tickMs: config.marketTickMs });
  const market = overrides.market ?? marketOn?.(db, config) ?? demo();
  const app = await buildApp({
    config,
    afterResponse,
    db,
    pool,
    clock,
    mail: openMail(config, clock),
    payments: openPayments(config, clock),
    exchange: exchangeOn(db),
    backtests: inlineBacktests(),
    jobs: createJobs(queue, (error) => console.error(error)),
    analyst: analystOn(market),
    ...overrides,
    market,
  });
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  if (config.databaseUrl && awaitsListener) await untilListening(url);
  const mail = mailReader(outboxDir(dataDir));

  const post: TestServer['post'] = (route, body, headers = {}) =>
    fetch(`${url}/api${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  async function ok(response: Response): Promise<unknown> {
    if (!response.ok) throw new Error(`${response.url} answered ${response.status} ${await response.text()}`);
    return response.json();
  }

  return {
    url,
    app,
    config,
    db,
    dataDir,
    mail,
    post,
    settled: afterResponse.settled,
    async signUp(changes = {}, headers = {}) {
      const {
        email = `${randomUUID()}@example.com`,
        password = PASSWORD,
        first_name = 'Ada',
        last_name = 'Lovelace',
        country = '',
      } = changes;
      const names = { firstName: first_name, lastName: last_name, country };
      const now = new Date(clock());
      await db.insert(users).values({ email, ...names, passwordHash: await hashOf(password), createdAt: now, verifiedAt: now });
      const { data: tokens } = z.parse(tokensAnswer, await ok(await post('/auth/login/', { email, password }, headers)));
      const authorization = `Bearer ${tokens.accessToken}`;
      const id = JSON.parse(Buffer.from(tokens.accessToken.split('.')[1] ?? '', 'base64url').toString()).sub;
      const { data: user } = z.parse(userAnswer, await ok(await fetch(`${url}/api/auth/user/${id}/`, { headers: { authorization } })));
      return { user, tokens, authorization, password };
    },
    async close() {
      await app.close();
      await close();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
