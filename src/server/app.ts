import { randomUUID } from 'node:crypto';
import path from 'node:path';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { BOT_API_PREFIX } from '../contract/bots/bot.ts';
import { API_PREFIX, HEALTH_PATH } from '../contract/paths.ts';
import { type Clock, HOUR, MINUTE, SECOND } from '../domain/clock.ts';
import { type AfterResponse, createAfterResponse } from './after-response.ts';
import { createAudit } from './audit.ts';
import { maintainBlobs } from './blobs/maintain-blobs.ts';
import { createUserBlobs } from './blobs/user-blobs.ts';
import { createBotOperations } from './bots/api/operator.ts';
import { createBots } from './bots/bots.ts';
import { createAccessOf } from './bots/store/access.ts';
import { createBudgets } from './budgets.ts';
import { type Config, secretsKeysOf } from './config.ts';
import { tidy, vacuum } from './db/housekeeping.ts';
import type { Db } from './db/open.ts';
import { createGuesses } from './guess-limits.ts';
import { requireToken } from './http/authenticate.ts';
import { chartFrame } from './http/chart-frame.ts';
import { answerClientError } from './http/client-error.ts';
import { errorForLog } from './http/error-for-log.ts';
import { answerError } from './http/error-handler.ts';
import { limitBodyTime } from './http/forms/body-time.ts';
import { createUploads } from './http/forms/uploads.ts';
import { publicBots, publicRoutes } from './http/public-routes.ts';
import { limitRates } from './http/rate-limits.ts';
import { rejectNul } from './http/reject-nul.ts';
import { logRequests } from './http/request-log.ts';
import { rewriteUrl } from './http/rewrite-url.ts';
import { secure } from './http/security-headers.ts';
import { serveClient } from './http/static-files.ts';
import type { Jobs } from './jobs/jobs.ts';
import { mailedLinkRoutes } from './modules/accounts/codes/link-routes.ts';
import { profileRoutes } from './modules/accounts/profile/profile-routes.ts';
import { accountRoutes } from './modules/accounts/routes.ts';
import { createAccounts } from './modules/accounts/service.ts';
import { createDevices } from './modules/accounts/sessions/devices.ts';
import { createProofs } from './modules/accounts/sessions/proofs.ts';
import { sessionRoutes } from './modules/accounts/sessions/session-routes.ts';
import { createSessions } from './modules/accounts/sessions/sessions.ts';
import { createAllowances, type PlanOf } from './modules/allowances/service.ts';
import { archiveRoutes } from './modules/archives/routes.ts';
import { createArchives } from './modules/archives/service.ts';
import { ChatEvents } from './modules/chat/events.ts';
import { chatImageRoutes } from './modules/chat/image-routes.ts';
import { createImages } from './modules/chat/images.ts';
import { chatRoutes } from './modules/chat/routes.ts';
import { createConversations } from './modules/chat/service.ts';
import { contactRoutes } from './modules/contacts/routes.ts';
import { createContacts } from './modules/contacts/service.ts';
import { exportRoutes } from './modules/export/routes.ts';
import { indicatorRoutes } from './modules/indicator/routes.ts';
import { createIndicators } from './modules/indicator/service.ts';
import { mailboxRoutes } from './modules/mailbox/routes.ts';
import { candleRoutes } from './modules/market/candle-routes.ts';
import { createCandles } from './modules/market/candles.ts';
import { createHistory } from './modules/market/history.ts';
import { marketRoutes } from './modules/market/routes.ts';
import { createMarketService } from './modules/market/service.ts';
import { createTicks } from './modules/market/ticks.ts';
import { notificationRoutes } from './modules/notifications/routes.ts';
import { createNotifications } from './modules/notifications/service.ts';
import { createPlanOf } from './modules/subscriptions/current-plan.ts';
import { subscriptionRoutes } from './modules/subscriptions/routes.ts';
import { createSubscriptions } from './modules/subscriptions/service.ts';
import { testStoreRoutes } from './modules/subscriptions/test-store-routes.ts';
import { webhookRoutes } from './modules/subscriptions/webhook-routes.ts';
import { watchlistRoutes } from './modules/watchlist/routes.ts';
import { createWatchlists } from './modules/watchlist/service.ts';
import { createCommands } from './operator/commands.ts';
import { erase } from './operator/erasure/erase.ts';
import { attachOperator } from './operator/socket-server.ts';
import type { Analyst } from './ports/analyst/analyst.ts';
import type { BlobStore } from './ports/blobs/blob-store.ts';
import { openBlobs } from './ports/blobs/open-blobs.ts';
import type { Exchange } from './ports/exchange/exchange.ts';
import { deleteMailTo } from './ports/mail/delete-mail.ts';
import { outboxDir, pruneOutbox } from './ports/mail/file-outbox.ts';
import type { MailPort } from './ports/mail/mail.ts';
import { hasMailbox } from './ports/mail/open-mail.ts';
import type { MarketData } from './ports/market-data/market-data.ts';
import type { Payments } from './ports/payments/payments.ts';
import { attachRealtime } from './realtime/attach.ts';

/** Bytes of a JSON body. The largest call is a question of 4000 characters. */
const BODY_LIMIT = 128 * 1024;

/** How often what is due without anybody asking is looked for, ms: plans that have ended, mail that was not sent. */
const CATCH_UP_EVERY = 5 * MINUTE;
/** What is of no use any more goes at the start, and this often. */
const HOUSEKEEPING_EVERY = 6 * HOUR;

/** What the server is made of; tests hand in their own. */
export interface Parts {
  config: Config;
  db: Db;
  clock: Clock;
  mail: MailPort;
  analyst: Analyst;
  market: MarketData;
  payments: Payments;
  /** Where bots trade. */
  exchange: Exchange;
  /** What the processes on one database share the work of bots with. */
  jobs: Jobs;
  /** Which plan a user is on; by default what was verified with the store. */
  planOf?: PlanOf;
  /** What goes on after answers; tests wait for it. */
  afterResponse?: AfterResponse;
  /** Where pictures of users are stored; by default files in DATA_DIR/blobs. */
  blobStore?: BlobStore;
  /** Of uploads; tests shorten it. */
  uploads?: { window: number };
  /** The built client; without it only the API is served. */
  clientDir?: string;
  /** Where the log goes; stderr by default, so that stdout is left to people. */
  logTo?: { write(line: string): void };
}

/** Builds the server without listening. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { config, db, clock, payments } = parts;
  /** The bot service alone has no pages, no other calls and no socket. */
  const isWeb = config.role !== 'bots';
  const app = fastify({
    logger: { level: config.logLevel, stream: parts.logTo ?? process.stderr, serializers: { err: errorForLog } },
    // http/request-log writes the one line.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    // 40 MB over a slow line take their time; http/uploads and http/body-time cut off what is slower than that.
    requestTimeout: 20 * MINUTE,
    // Headers that come in pieces, such as half a WebSocket handshake, hold a connection until a check finds them late.
    http: { headersTimeout: 15 * SECOND, connectionsCheckingInterval: 5 * SECOND },
    rewriteUrl,
    // What the router itself refuses, such as an overlong parameter.
    frameworkErrors: answerError,
    clientErrorHandler: answerClientError,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('identity', null);

  app.setErrorHandler(answerError);
  logRequests(app);
  await secure(app, config);
  if (isWeb) {
    await serveClient(app, parts.clientDir);
    chartFrame(app);
  }
  const uploads = createUploads({ directory: path.join(config.dataDir, 'uploads'), alone: !config.databaseUrl, ...parts.uploads });
  limitBodyTime(app, uploads);
  await limitRates(app);
  app.get(HEALTH_PATH, { config: { rateLimit: false } }, async () => ({ status: 200 }));

  // The modules are put together here and nowhere else. Each gets what it needs from the ones above it.
  const { jwtSecret, secretsKey, publicUrl } = config;
  const audit = createAudit(app.log);
  const budgets = createBudgets({ db, clock });
  const guesses = createGuesses({ budgets, audit, log: app.log });
  const mail = logged(parts.mail, app.log);
  parts.market.logTo?.(app.log);
  const report = (error: unknown) => app.log.error({ err: error }, 'work after an answer failed');
  const sessions = createSessions({ db, clock, jwtSecret, alone: !config.databaseUrl });
  const proofs = createProofs({ db, clock, budgets, guesses, audit });
  const devices = createDevices({ db, clock, sessions });
  const afterResponse = parts.afterResponse ?? createAfterResponse(report);
  const blobs = createUserBlobs({ db, store: parts.blobStore ?? openBlobs(config), quota: config.userQuota });
  const notifications = createNotifications({ db, clock });
  const { notify } = notifications;
  const planOf = parts.planOf ?? createPlanOf({ clock, store: payments.kind });
  const allowances = createAllowances({ clock, planOf });
  const subscriptions = createSubscriptions({ db, clock, payments, allowances, notify, report });
  const accounts = createAccounts({
    db,
    clock,
    mail,
    sessions,
    secretsKey,
    publicUrl,
    afterResponse,
    notify,
    subscriptions,
    blobs,
    budgets,
    guesses,
    audit,
    report,
  });
  const contacts = createContacts({ db, clock, mail, afterResponse, notify, blobs });
  const mailbox = hasMailbox(config);
  const archives = createArchives({ db, clock });
  const history = createHistory({
    db,
    market: parts.market,
    report: (error) => app.log.warn({ err: error }, 'the day of the coins was not written down'),
  });
  const watchlists = createWatchlists({ db, clock, market: parts.market });
  const bots = createBots({
    db,
    clock,
    exchange: parts.exchange,
    testnet: config.exchange.testnet,
    jobs: parts.jobs,
    notify,
    accessOf: createAccessOf({ clock, planOf }),
    demandProof: proofs.demand,
    ...secretsKeysOf(config),
    trade: config.role === 'web' ? 'never' : config.role === 'bots' || config.databaseUrl ? 'always' : 'needed',
    log: app.log,
  });
  const chatEvents = new ChatEvents();
  const images = createImages({ db, clock, blobs, afterResponse });
  const conversations = createConversations({
    db,
    archives,
    allowances,
    images,
    analyst: parts.analyst,
    events: chatEvents,
    clock,
    log: app.log,
    alone: !config.databaseUrl,
    picturesAtOnce: config.picturesAtOnce,
  });

  if (isWeb)
    await app.register(
      async (api) => {
        // What the API answers is one user's; the client keeps its own copy (design: the worker never caches the API).
        api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
        requireToken(api, sessions.authenticate);
        rejectNul(api);
        // Routes of the modules, one line each.
        publicRoutes(api, {
          mailbox,
          analyst: parts.analyst.kind,
          store: payments.counter ? 'test' : 'none',
          bots: publicBots(config),
        });
        accountRoutes(api, { accounts, sessions, audit });
        sessionRoutes(api, { sessions, devices, proofs, audit });
        profileRoutes(api, { db, uploads, profiles: accounts.profiles, secretsKey, demandProof: proofs.demand });
        mailedLinkRoutes(api, { accounts, publicUrl });
        contactRoutes(api, { db, contacts, blobs, uploads });
        archiveRoutes(api, {
          db,
          uploads,
          archives,
          onRenamed: (userId, { id, archive_title }) => chatEvents.emit('title', userId, { archive_id: id, title: archive_title }),
        });
        chatRoutes(api, { db, conversations });
        chatImageRoutes(api, { images, uploads });
        marketRoutes(api, { market: createMarketService(parts.market), isWatched: watchlists.isWatched });
        candleRoutes(api, { candles: createCandles({ db, market: parts.market }) });
        exportRoutes(api, { db, clock, budgets, blobStore: blobs.store, onEnded: sessions.onEnded });
        indicatorRoutes(api, { indicators: createIndicators({ feed: parts.exchange.feed }) });
        notificationRoutes(api, { notifications });
        watchlistRoutes(api, { db, watchlists });
        subscriptionRoutes(api, { db, subscriptions });
        webhookRoutes(api, { subscriptions, secret: config.webhookSecret });
        if (payments.counter) testStoreRoutes(api, { db, counter: payments.counter, subscriptions });
      },
      { prefix: API_PREFIX },
    );
  await app.register(
    async (api) => {
      api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
      requireToken(api, sessions.authenticate);
      rejectNul(api);
      bots.routes(api, { audit, budgets });
    },
    { prefix: BOT_API_PREFIX },
  );
  if (mailbox && isWeb) mailboxRoutes(app, { directory: outboxDir(config.dataDir) });
  const ticks = createTicks({
    market: parts.market,
    everyMs: config.marketTickMs,
    report: (error) => app.log.debug({ err: error }, 'no figures to tick'),
  });
  if (isWeb) attachRealtime(app, { config, sessions, conversations, events: chatEvents, notifications, ticks, audit, clock });
  const deleteMail = (email: string) => deleteMailTo(config.dataDir, email);
  attachOperator(app, {
    dataDir: config.dataDir,
    run: createCommands({
      db,
      clock,
      contacts,
      bots: createBotOperations({ db, clock, notify }),
      rotateKey: bots.rotateKey,
      erase: (userId) => erase({ db, clock, audit, sessions, closeAllBots: bots.closeAllBots, blobs, mail, deleteMail }, userId),
      audit,
      startedAt: clock(),
    }),
  });
  if (isWeb) {
    app.addHook('onReady', conversations.start);
    app.addHook('onReady', history.start);
  }
  app.addHook('onReady', bots.start);
  const tidyAll = () => Promise.all([tidy(db, clock()), pruneOutbox(outboxDir(config.dataDir), clock()), uploads.sweep()]);
  const keepHouse = () => tidyAll().then(() => vacuum(db));
  const housekeeping = setInterval(() => keepHouse().catch(report), HOUSEKEEPING_EVERY).unref();
  app.addHook('onReady', async () => void (await tidyAll()));
  app.addHook('onClose', async () => clearInterval(housekeeping));
  // A bot service of its own may lack the folder that the web processes share.
  if (isWeb) maintainBlobs(app, { db, blobs, clock });
  const catchUp = () => {
    afterResponse.run(subscriptions.tellEnded);
    afterResponse.run(contacts.acknowledgeLate);
  };
  const catchingUp = setInterval(catchUp, CATCH_UP_EVERY).unref();
  app.addHook('onReady', async () => catchUp());
  app.addHook('onClose', async () => clearInterval(catchingUp));
  app.addHook('preClose', conversations.close);
  app.addHook('onClose', afterResponse.settled);
  app.addHook('onClose', history.stop);
  app.addHook('onClose', bots.stop);

  return app;
}

/** The log names where a message went, and never what it says. */
const logged = (mail: MailPort, log: FastifyBaseLogger): MailPort => ({
  async send(message) {
    const where = await mail.send(message);
    log.info({ mail: where }, 'mail sent');
    return where;
  },
  close: () => mail.close(),
});
