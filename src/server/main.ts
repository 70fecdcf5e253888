import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { prepareLanguages } from '../domain/analyst/languages/prepare-languages.ts';
import { PRODUCT } from '../domain/product.ts';
import { buildApp } from './app.ts';
import { createBacktestRunner } from './backtests/backtest-runner.ts';
import { createBudgets } from './budgets.ts';
import { readConfig } from './config.ts';
import { absenceOf } from './db/database-errors.ts';
import { openDb } from './db/open.ts';
import { dataDirOf } from './files/data-dir-of.ts';
import { explainFullDisk } from './files/full-disk.ts';
import { createJobs } from './jobs/jobs.ts';
import { createDraining } from './lifecycle/draining.ts';
import { createPictureReader } from './pictures/picture-reader.ts';
import { openAnalyst } from './ports/analyst/open-analyst.ts';
import { openExchange } from './ports/exchange/exchanges.ts';
import { openMail } from './ports/mail/open-mail.ts';
import { openMarketData } from './ports/market-data/open-market-data.ts';
import { openPayments } from './ports/payments/open-payments.ts';
import { claimSecrets } from './settings/shared-secrets.ts';
import { StartupError } from './startup-error.ts';

/** Length of the listen queue: after a restart, all clients reconnect at once. */
const BACKLOG = 4096;
/** Time that running requests have to finish at shutdown, ms. */
const REQUEST_GRACE = 5000;
/** Forced exit this long after draining, ms: commits are on disk, and the next start resumes unfinished work. */
const SHUTDOWN_LIMIT = 30_000;
/** Ctrl-C signals the server and start.mjs, which passes it on: the copies arrive within this time, ms. */
const COPY_SPAN = 500;

/** Runs at shutdown; replaced when the server has started. */
let stop = async (): Promise<void> => undefined;
let drainSeconds = 0;
let signaledAt: number | undefined;

function onSignal(): void {
  if (signaledAt !== undefined) {
    if (performance.now() - signaledAt > COPY_SPAN) fail(`${PRODUCT} was told twice to stop, and ends at once.`);
    return;
  }
  signaledAt = performance.now();
  const limit = SHUTDOWN_LIMIT + drainSeconds * 1000;
  setTimeout(() => fail(`${PRODUCT} did not shut down within ${limit / 1000} seconds.`), limit).unref();
  stop().then(
    () => process.exit(0),
    (error: unknown) => fail(error),
  );
}

function fail(error: unknown): never {
  console.error(error instanceof StartupError ? `${PRODUCT} cannot start. ${error.message}` : error);
  process.exit(1);
}

/** Returns an absence of PostgreSQL after the migrations as the reason why a start failed, or else the error. */
function explainAbsence(error: unknown): unknown {
  const absence = process.env.DATABASE_URL?.trim() ? absenceOf(error) : undefined;
  return absence === undefined ? error : new StartupError(`DATABASE_URL: PostgreSQL went away during the start (${absence}).`);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const draining = createDraining(config.drainSeconds);
  const { db, pool, queue, close } = await openDb(config);
  await claimSecrets(db, config);
  const clock = Date.now;
  const mail = openMail(config, clock);
  const payments = openPayments(config, clock);
  const { role } = config;
  /** What failed before there is a log. */
  const early: unknown[] = [];
  let report = (error: unknown): void => void early.push(error);
  const { exchange, btc } = await openExchange(config, {
    db,
    clock,
    mayChangeFeed: role !== 'web',
    followsPrice: role !== 'bots',
    report: (error) => report(error),
  });
  const budgets = createBudgets({ db, clock: config.databaseUrl ? 'database' : clock });
  const market = openMarketData(config, { db, clock, budgets, btc });
  const jobs = createJobs(queue, (err) => app.log.error({ err }, 'the bot queue failed'));
  const pictures = createPictureReader(new URL('./reading-thread.js', import.meta.url), { threads: config.picturesAtOnce });
  const backtests = createBacktestRunner(new URL('./backtest-thread.js', import.meta.url));
  const analyst = openAnalyst(config, {
    market,
    perpetual: exchange.perpetual,
    budgets,
    readPicture: pictures.read,
    report: (err) => app.log.warn({ err }, 'the language model failed'),
  });
  // Relative to the bundle in dist/server. In development, Vite serves the client instead.
  const built = fileURLToPath(new URL('../client', import.meta.url));
  const clientDir = existsSync(built) ? built : undefined;
  const app = await buildApp({
    config,
    db,
    pool,
    clock,
    mail,
    market,
    analyst,
    payments,
    exchange,
    backtests,
    jobs,
    draining,
    ...(clientDir && { clientDir }),
  });
  report = (err) => app.log.error({ err }, 'work on the prices of bots failed');
  early.forEach(report);
  drainSeconds = config.drainSeconds;
  stop = async () => {
    await draining.drain();
    const closeTimer = setTimeout(() => app.server.closeAllConnections(), REQUEST_GRACE);
    await app.close();
    await pictures.close();
    clearTimeout(closeTimer);
    mail.close();
    await close();
  };
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new StartupError(`PORT: ${config.port} is already in use.`);
    if (error.code === 'EACCES') throw new StartupError(`PORT: ${config.port} needs more privileges than this user has.`);
    if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(error.code ?? ''))
      throw new StartupError(`HOST: ${config.host} is not an address of this machine.`);
    throw error;
  });
  console.log(`${PRODUCT} ready at ${config.publicUrl}`);
  if (role !== 'bots') await prepareLanguages(setImmediate);
}

process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);
// The log goes to stderr, so a full disk below it is said on stdout.
process.stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
  console.log(`${PRODUCT} stops, because its log cannot be written (${code}).`);
  process.exit(1);
});
start().catch((error: unknown) => fail(explainAbsence(explainFullDisk(error, dataDirOf(process.env)))));
