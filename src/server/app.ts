import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { HEALTH_PATH } from '../contract/paths.ts';
import { runInBackground } from './background.ts';
import { createBotOperations } from './bots/api/operator.ts';
import { keepPublished } from './client-files/serve-shared.ts';
import { createSharedFiles } from './client-files/shared-files.ts';
import { chartFrame } from './http/chart-frame.ts';
import { createServer } from './http/create-server.ts';
import { limitBodyTime } from './http/forms/body-time.ts';
import { serveShares } from './http/forms/share-page.ts';
import { createUploads } from './http/forms/uploads.ts';
import { limitRates } from './http/rate-limits.ts';
import { secure } from './http/security-headers.ts';
import { serveClient } from './http/static-files.ts';
import { createDraining, type Draining } from './lifecycle/draining.ts';
import { endConnectionsOnDrain, endUnusedOnClose } from './lifecycle/end-connections.ts';
import { serveReadiness } from './lifecycle/readiness.ts';
import type { Limits } from './limits/limits.ts';
import { openLimits } from './limits/open-limits.ts';
import { attachMetrics } from './metrics/attach-metrics.ts';
import { createTicks } from './modules/market/ticks.ts';
import { copyForBackup } from './operator/backup/copy-for-backup.ts';
import { removeOldSnapshot } from './operator/backup/snapshot.ts';
import { createCommands } from './operator/commands.ts';
import { erase } from './operator/erasure/erase.ts';
import { attachOperator } from './operator/socket-server.ts';
import { verify } from './operator/verify/verify.ts';
import type { Parts } from './parts.ts';
import { deleteMailTo } from './ports/mail/delete-mail.ts';
import { attachRealtime } from './realtime/attach.ts';
import { registerRoutes } from './routes.ts';
import { createServices, type Services } from './services.ts';
import { attachTracing } from './tracing/attach-tracing.ts';

/** Builds the server without listening. A process with `ROLE=bots` has no pages, no other API and no socket. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { config, market, draining = createDraining(0) } = parts;
  const isWeb = config.role !== 'bots';
  const app = createServer(config, parts.logTo ?? process.stderr);
  await attachTracing(app, config, parts.tracing);
  await secure(app, config);
  if (isWeb) {
    const files = parts.clientDir ? await createSharedFiles(parts.clientDir, config.databaseUrl ? parts.db : undefined) : undefined;
    await serveClient(app, parts.clientDir, { earlyHints: config.earlyHints, files });
    if (files) keepPublished(app, files);
    chartFrame(app);
  }
  const uploads = createUploads({ directory: path.join(config.dataDir, 'uploads'), alone: !config.databaseUrl, ...parts.uploads });
  limitBodyTime(app, uploads);
  const limits = openLimits(config, { log: app.log });
  app.addHook('onClose', limits.close);
  await limitRates(app, limits);
  await attachMetrics(app, parts);
  app.get(HEALTH_PATH, { config: { rateLimit: false } }, async () => ({ status: 200 }));

  if (isWeb) await serveShares(app);
  market.logTo?.(app.log);
  const services = createServices(app.log, parts);
  // Hooks run in reverse: what the others publish while they close is sent before this one ends.
  app.addHook('onClose', services.fanOut.close);
  serveReadiness(app, { checks: services.checks, isDraining: draining.isDraining });
  endConnectionsOnDrain(app, draining);
  endUnusedOnClose(app);
  await registerRoutes(app, parts, services, uploads);
  if (isWeb) {
    attachSocket(app, parts, services, { draining, limits });
    shareMarket(app, parts, services);
  }
  attachAdmin(app, parts, services);
  runInBackground(app, parts, services, { uploads, draining });
  return app;
}

/** Shares the market with the other processes. A process without pages never asks the provider. */
function shareMarket(app: FastifyInstance, { market }: Parts, { fanOut }: Services): void {
  const sharing = market.share?.({ hints: fanOut.market, log: app.log });
  if (!sharing) return;
  app.addHook('onReady', sharing.start);
  app.addHook('onClose', sharing.close);
}

function attachSocket(
  app: FastifyInstance,
  { config, market, clock }: Parts,
  services: Services,
  { draining, limits }: { draining: Draining; limits: Limits },
): void {
  const { sessions, conversations, archives, chatEvents: events, notifications, fanOut, audit } = services;
  const ticks = createTicks({
    market,
    everyMs: config.marketTickMs,
    report: (error) => app.log.debug({ err: error }, 'no prices to send'),
  });
  attachRealtime(app, { config, sessions, conversations, archives, events, notifications, fanOut, ticks, audit, clock, draining, limits });
}

/** Serves the commands of `npm run operator`. */
function attachAdmin(app: FastifyInstance, { config, db, clock }: Parts, services: Services): void {
  const { contacts, notifications, bots, audit, sessions, blobs, mail } = services;
  const deleteMail = (email: string) => deleteMailTo(config.dataDir, email);
  app.addHook('onReady', () =>
    removeOldSnapshot(config.dataDir).catch((err: unknown) => app.log.warn({ err }, 'the copy of a killed backup is still there')),
  );
  attachOperator(app, {
    dataDir: config.dataDir,
    run: createCommands({
      db,
      clock,
      countClock: config.databaseUrl ? 'database' : clock,
      contacts,
      bots: createBotOperations({ db, clock, notify: notifications.notify, notifyAll: notifications.notifyAll }),
      rotateKey: bots.rotateKey,
      erase: (userId) => erase({ db, clock, audit, sessions, closeAllBots: bots.closeAllBots, blobs, mail, deleteMail }, userId),
      verify: () => verify(db, blobs.store),
      copyData: () => copyForBackup(config, db),
      audit,
      startedAt: clock(),
    }),
  });
}
