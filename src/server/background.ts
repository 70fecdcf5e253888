import type { FastifyInstance } from 'fastify';
import { HOUR, MINUTE } from '../domain/clock.ts';
import { maintainBlobs } from './blobs/maintain-blobs.ts';
import { tryBucket } from './blobs/try-bucket.ts';
import { createCleanUp } from './housekeeping/clean-up.ts';
import type { Uploads } from './http/forms/uploads.ts';
import { createClockWatch } from './lifecycle/clock-watch.ts';
import type { Draining } from './lifecycle/draining.ts';
import type { Parts } from './parts.ts';
import { outboxDir, pruneOutbox } from './ports/mail/file-outbox.ts';
import type { Services } from './services.ts';

/** Interval of the check for ended plans and mail that was not sent. */
const CATCH_UP_INTERVAL = 5 * MINUTE;
/** Interval at which old mail files and forgotten uploads are deleted; also at startup. */
const FILES_INTERVAL = 6 * HOUR;

interface Ends {
  uploads: Uploads;
  draining: Draining;
}

/** Starts timers and services when the server is ready, and stops them when it closes. */
export function runInBackground(app: FastifyInstance, parts: Parts, services: Services, { uploads, draining }: Ends): void {
  const { config, db, clock } = parts;
  const { afterResponse, alertChecker, backtests, bots, blobs, contacts, conversations, deliveries, history, report } = services;
  const { push, subscriptions, telegramChats } = services;
  const isWeb = config.role !== 'bots';
  if (isWeb) {
    app.addHook('onReady', conversations.start);
    app.addHook('onReady', history.start);
    app.addHook('onReady', alertChecker.start);
    app.addHook('onReady', async () => void (await push.key()));
    app.addHook('onReady', deliveries.start);
    if (telegramChats) app.addHook('onReady', telegramChats.start);
  }
  app.addHook('onReady', bots.start);

  const isEmbedded = !config.databaseUrl;
  const countClock = isEmbedded ? clock : 'database';
  const cleanUp = createCleanUp({ db, clock: countClock, isEmbedded, log: app.log, report });
  app.addHook('onListen', async () => cleanUp.start());
  app.addHook('onClose', cleanUp.close);
  if (!isEmbedded) {
    const clockWatch = createClockWatch({ db, clock, log: app.log });
    app.addHook('onListen', async () => clockWatch.start());
    app.addHook('onClose', clockWatch.close);
  }
  const tidyFiles = () => Promise.all([pruneOutbox(outboxDir(config.dataDir), clock()), uploads.sweep()]);
  const tidying = setInterval(() => tidyFiles().catch(report), FILES_INTERVAL).unref();
  app.addHook('onReady', async () => afterResponse.run(tidyFiles));
  app.addHook('onClose', async () => clearInterval(tidying));
  // A separate bot service may not have the folder that the web processes share.
  if (isWeb) maintainBlobs(app, { db, blobs, clock: countClock });
  if (isWeb && config.s3) app.addHook('onReady', async () => afterResponse.run(() => tryBucket(blobs.store, app.log)));

  const catchUp = () => {
    afterResponse.run(subscriptions.tellEnded);
    afterResponse.run(contacts.acknowledgeLate);
  };
  const catchingUp = setInterval(catchUp, CATCH_UP_INTERVAL).unref();
  app.addHook('onReady', async () => catchUp());
  app.addHook('onClose', async () => clearInterval(catchingUp));

  draining.onBegin(conversations.stopStarting);
  // Together, because each may take seconds.
  app.addHook('preClose', async () => void (await Promise.all([conversations.close(), bots.stopTrading()])));
  app.addHook('onClose', backtests.close);
  app.addHook('onClose', history.stop);
  app.addHook('onClose', alertChecker.close);
  // After the deliveries, because hooks run in reverse.
  app.addHook('onClose', async () => push.close());
  // Together, because a mail server that says nothing holds up both.
  app.addHook('onClose', async () => void (await Promise.all([deliveries.close(), afterResponse.close()])));
  if (telegramChats) app.addHook('onClose', telegramChats.close);
  app.addHook('onClose', bots.close);
}
