import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PRODUCT } from '../domain/product.ts';
import { buildApp } from './app.ts';
import { createBudgets } from './budgets.ts';
import { readConfig } from './config.ts';
import { openDb } from './db/open.ts';
import { createJobs } from './jobs/jobs.ts';
import { createPictureReader } from './pictures/picture-reader.ts';
import { openAnalyst } from './ports/analyst/open-analyst.ts';
import { openExchange } from './ports/exchange/exchanges.ts';
import { openMail } from './ports/mail/open-mail.ts';
import { openMarketData } from './ports/market-data/open-market-data.ts';
import { openPayments } from './ports/payments/open-payments.ts';
import { StartupError } from './startup-error.ts';

/** Connections that may wait to be taken: after a restart everybody comes back at once, and the system drops the rest. */
const BACKLOG = 4096;
/** How long requests may still run once the server is told to stop, ms. */
const GRACE = 5000;
/** When it ends all the same, ms: every commit is on disk, and what it left undone is taken up at the next start. */
const PATIENCE = 30_000;

/** Runs when asked to stop; replaced as the start goes on. */
let stop = async (): Promise<void> => undefined;
let stopping = false;

function onSignal(): void {
  if (stopping) return;
  stopping = true;
  setTimeout(() => fail(`${PRODUCT} did not come to its end in ${PATIENCE / 1000} seconds.`), PATIENCE).unref();
  stop().then(
    () => process.exit(0),
    (error: unknown) => fail(error),
  );
}

function fail(error: unknown): never {
  console.error(error instanceof StartupError ? `${PRODUCT} cannot start. ${error.message}` : error);
  process.exit(1);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const { db, queue, close } = await openDb(config);
  const clock = Date.now;
  const mail = openMail(config, clock);
  const payments = openPayments(config, clock);
  const { exchange, replay } = await openExchange(config, { db, clock });
  const market = openMarketData(config, { clock, budgets: createBudgets({ db, clock }), btc: replay });
  const jobs = createJobs(queue, (err) => app.log.error({ err }, 'the queue of the bots failed'));
  const pictures = createPictureReader(new URL('./reading-thread.js', import.meta.url), { threads: config.picturesAtOnce });
  const analyst = openAnalyst(config, {
    market,
    readPicture: pictures.read,
    report: (err) => app.log.warn({ err }, 'the language model did not answer'),
  });
  // As seen from the bundle in dist/server. While the client is developed, Vite serves it instead.
  const built = fileURLToPath(new URL('../client', import.meta.url));
  const clientDir = existsSync(built) ? built : undefined;
  const app = await buildApp({ config, db, clock, mail, market, analyst, payments, exchange, jobs, ...(clientDir && { clientDir }) });
  stop = async () => {
    const impatience = setTimeout(() => app.server.closeAllConnections(), GRACE);
    await app.close();
    await pictures.close();
    clearTimeout(impatience);
    mail.close();
    await close();
  };
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new StartupError(`PORT: ${config.port} is already in use.`);
    if (error.code === 'EACCES') throw new StartupError(`PORT: ${config.port} may not be opened by this user.`);
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
      throw new StartupError(`HOST: ${config.host} is not an address of this machine.`);
    throw error;
  });
  console.log(`${PRODUCT} ready at ${config.publicUrl}`);
}

process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);
start().catch(fail);
