import type { FastifyBaseLogger } from 'fastify';
import { SECOND } from '../domain/clock.ts';
import { createAfterResponse } from './after-response.ts';
import { createAudit } from './audit.ts';
import { createUserBlobs } from './blobs/user-blobs.ts';
import { createBots } from './bots/bots.ts';
import { createAccessOf } from './bots/store/access.ts';
import { createBudgets } from './budgets.ts';
import { secretsKeysOf } from './config.ts';
import { databaseChecks } from './db/database-checks.ts';
import type { Tx } from './db/open.ts';
import type { CountClock } from './db/windows.ts';
import { listenerCheck } from './fan-out/fan-out.ts';
import { openFanOut } from './fan-out/open-fan-out.ts';
import { publishChanges } from './fan-out/publish-changes.ts';
import { createGuesses } from './guess-limits.ts';
import { createLeadership } from './lifecycle/leadership.ts';
import type { Check } from './lifecycle/readiness.ts';
import { measureCall } from './metrics/measurements.ts';
import { createAccounts } from './modules/accounts/service.ts';
import { createDevices } from './modules/accounts/sessions/devices.ts';
import { createProofs } from './modules/accounts/sessions/proofs.ts';
import { createSessions } from './modules/accounts/sessions/sessions.ts';
import { createAlertChecker } from './modules/alerts/check/checker.ts';
import { createAlerts } from './modules/alerts/service.ts';
import { createAllowances } from './modules/allowances/service.ts';
import { createArchives } from './modules/archives/service.ts';
import { createBacktests } from './modules/backtests/service.ts';
import { ChatEvents } from './modules/chat/events.ts';
import { createImages } from './modules/chat/images.ts';
import { createConversations } from './modules/chat/service.ts';
import { createChatLinks } from './modules/chat-links/service.ts';
import { createContacts } from './modules/contacts/service.ts';
import { createHistory } from './modules/market/history.ts';
import { createItems } from './modules/market/items.ts';
import { createDeliveries } from './modules/notifications/deliveries/service.ts';
import { createNotifications } from './modules/notifications/service.ts';
import { createPreferences, type SecretSafe } from './modules/notifications/settings/service.ts';
import { createTelegramChats } from './modules/notifications/settings/telegram-chats.ts';
import { createPush } from './modules/push/service.ts';
import { createPlanOf } from './modules/subscriptions/current-plan.ts';
import { createSubscriptions } from './modules/subscriptions/service.ts';
import { createWatchlists } from './modules/watchlist/service.ts';
import { listWatched } from './modules/watchlist/store.ts';
import type { Parts } from './parts.ts';
import { createOwnOf } from './ports/analyst/own-rows.ts';
import { openBlobs } from './ports/blobs/open-blobs.ts';
import type { Destination } from './ports/channels/channel.ts';
import { createEmailChannel } from './ports/channels/email.ts';
import { createPushChannel } from './ports/channels/push.ts';
import { createTelegramChannel } from './ports/channels/telegram.ts';
import { createTelegramApi } from './ports/channels/telegram-api.ts';
import { createWebhookChannel } from './ports/channels/webhook.ts';
import type { MailPort } from './ports/mail/mail.ts';
import { openVapidKeys } from './settings/vapid-keys.ts';

/** Shortest lease of the process that checks price alerts, ms. */
const ALERT_LEASE = 15 * SECOND;

/** Lease of the process that asks Telegram for messages, ms: longer than a question. */
const TELEGRAM_LEASE = 60 * SECOND;

export type Services = ReturnType<typeof createServices>;

/** Creates the services of all modules. Each gets what it needs from the ones created before it. */
export function createServices(log: FastifyBaseLogger, parts: Parts) {
  const shared = createSharedServices(log, parts);
  const { db, clock, config, payments, market } = parts;
  const { mail, audit, budgets, guesses, sessions, proofs, afterResponse, blobs, notifications, report } = shared;
  const { notify, notifyAll } = notifications;
  const planOf = parts.planOf ?? createPlanOf({ clock, store: payments.kind });
  const accessOf = createAccessOf({ clock, planOf });
  const allowances = createAllowances({ clock, planOf });
  const subscriptions = createSubscriptions({ db, clock, payments, allowances, notify, report });
  const archives = createArchives({ db, clock });
  const chatEvents = new ChatEvents();
  const images = createImages({ db, clock, blobs, afterResponse });
  publishChanges(shared.fanOut, { chatEvents, notifications, sessions });
  const itemsOf = createItems(market);
  const watchedBy = async (tx: Tx, userId: string) => (await listWatched(tx, userId)).map(({ coinId }) => coinId);
  const everyMs = config.marketTickMs;
  const lease = Math.max(ALERT_LEASE, 3 * everyMs);
  const alerts = createAlerts({ db, clock, market, watchedBy });
  const bots = createBots({
    db,
    clock,
    exchange: parts.exchange,
    testnet: config.exchange.testnet,
    jobs: parts.jobs,
    notify,
    notifyAll,
    accessOf,
    demandProof: proofs.demand,
    ...secretsKeysOf(config),
    trade: config.role === 'web' ? 'never' : config.role === 'bots' || config.databaseUrl ? 'always' : 'needed',
    log,
  });
  return {
    ...shared,
    itemsOf,
    checks: [...databaseChecks(db), { name: 'queue', run: bots.checkQueue }, listenerCheck(shared.fanOut)] satisfies Check[],
    subscriptions,
    archives,
    chatEvents,
    images,
    chatLinks: createChatLinks({ db, clock: shared.countClock }),
    accounts: createAccounts({
      ...{ db, clock, mail, sessions, afterResponse, notify, subscriptions, blobs, budgets, guesses, audit, report },
      secretsKey: config.secretsKey,
      publicUrl: config.publicUrl,
    }),
    contacts: createContacts({ db, clock, mail, afterResponse, notify, blobs }),
    history: createHistory({
      db,
      market,
      recordsDemo: config.market === 'demo',
      report: (error) => log.warn({ err: error }, 'recording daily prices failed'),
    }),
    alerts,
    alertChecker: createAlertChecker({
      ...{ db, clock, market, notifyAll, everyMs, report },
      leadership: createLeadership(db, { name: 'alerts', lease }),
    }),
    watchlists: createWatchlists({ db, clock, market, itemsOf, onAdded: alerts.coinAdded, onRemoved: alerts.coinRemoved }),
    backtests: createBacktests({ db, clock, runner: parts.backtests, accessOf, report }),
    bots,
    ...createNotificationChannels(parts, shared, bots.secrets),
    conversations: createConversations({
      db,
      archives,
      allowances,
      images,
      ownOf: createOwnOf({ clock, planOf: (userId) => allowances.leftOf(db, userId), botsOf: bots.list }),
      analyst: parts.analyst,
      events: chatEvents,
      clock,
      log,
      alone: !config.databaseUrl,
      picturesAtOnce: config.picturesAtOnce,
      claimLifetime: parts.claimLifetime,
      poll: parts.answerPoll,
    }),
  };
}

type SharedServices = ReturnType<typeof createSharedServices>;

/** Creates what several modules use. */
function createSharedServices(log: FastifyBaseLogger, parts: Parts) {
  const { db, clock, config } = parts;
  const isAlone = !config.databaseUrl;
  const report = (error: unknown) => log.error({ err: error }, 'work after a response failed');
  const audit = createAudit(log);
  const countClock = isAlone ? clock : 'database';
  const budgets = createBudgets({ db, clock: countClock });
  const guesses = createGuesses({ budgets, audit, log });
  const sessions = createSessions({ db, clock, jwtSecret: config.jwtSecret, alone: isAlone });
  const mail = withLog(parts.mail, log);
  const notifications = createNotifications({ db, clock, countClock });
  return {
    report,
    audit,
    countClock: countClock as CountClock,
    budgets,
    guesses,
    sessions,
    proofs: createProofs({ db, clock, budgets, guesses, audit }),
    devices: createDevices({ db, clock, sessions }),
    mail,
    afterResponse: parts.afterResponse ?? createAfterResponse(report),
    blobs: createUserBlobs({ db, store: parts.blobStore ?? openBlobs(config), quota: config.userQuota }),
    notifications,
    fanOut: openFanOut(config, { log, timing: parts.listening }),
  };
}

/** Creates the channels by which notifications leave the app, and what users set about them. */
function createNotificationChannels({ db, clock, config, deliveryPoll: poll }: Parts, shared: SharedServices, safe: SecretSafe) {
  const { countClock, mail, notifications, report } = shared;
  const { notify } = notifications;
  const { publicUrl, privateTargets: trusted, telegram: bot } = config;
  const secretOf = ({ id, sealed }: Destination) => (sealed ? safe.open(id, sealed) : undefined);
  const webhook = createWebhookChannel({ clock, publicUrl, secretOf, trusted });
  const api = bot && createTelegramApi(bot);
  const keys = openVapidKeys(db, config);
  const browsers = createPushChannel({ db, clock, trusted, keys, publicUrl, subject: config.push.subject });
  const channels = [
    createEmailChannel({ db, mail, publicUrl }),
    browsers,
    webhook,
    ...(api ? [createTelegramChannel({ api, publicUrl })] : []),
  ];
  const leadership = createLeadership(db, { name: 'telegram', lease: TELEGRAM_LEASE });
  return {
    deliveries: createDeliveries({ db, clock: countClock, notifications, channels, report, poll }),
    preferences: createPreferences({ db, clock, notify, safe, webhook, hasTelegram: api !== undefined, trusted }),
    push: { ...createPush({ db, clock, trusted, keys }), close: browsers.close },
    telegramChats: api && createTelegramChats({ db, clock: countClock, api, notify, leadership, report }),
  };
}

/** Logs and counts where each message went, never its content. */
const withLog = (mail: MailPort, log: FastifyBaseLogger): MailPort => ({
  async send(message) {
    const where = await measureCall('mail', () => mail.send(message));
    log.info({ mail: where }, 'mail sent');
    return where;
  },
  close: () => mail.close(),
});
