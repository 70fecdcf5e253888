import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import type { Db } from '#server/db/open.ts';
import { createJobs } from '#server/jobs/jobs.ts';
import { openMail } from '#server/ports/mail/open-mail.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import { openPayments } from '#server/ports/payments/open-payments.ts';
import { inlineBacktests } from '../support/bots/inline-backtests.ts';
import { quietExchange } from '../support/bots/quiet-exchange.ts';
import { type Route, routesOf } from '../support/server/routes.ts';

/** Returns every route of the server with default settings. Builds the app without starting it. */
export async function routesOfServer(): Promise<Route[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-routes-'));
  try {
    const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    const clock = Date.now;
    // The app does not use the database before it starts.
    const db = {} as Db;
    const app = await buildApp({
      config,
      db,
      clock,
      mail: openMail(config, clock),
      payments: openPayments(config, clock),
      exchange: quietExchange(db),
      backtests: inlineBacktests(),
      jobs: createJobs({ kind: 'alone' } as never, () => undefined),
      analyst: { kind: 'built-in' } as never,
      market: createDemoMarket({ clock, seed: config.marketSeed, tickMs: config.marketTickMs }),
    });
    return routesOf(app);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
