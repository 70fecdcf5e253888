import type { FastifyInstance } from 'fastify';
import { BOT_API_PREFIX } from '../contract/bots/bot.ts';
import type { Archive } from '../contract/chat/archive.ts';
import { API_PREFIX } from '../contract/paths.ts';
import { requireToken } from './http/authenticate.ts';
import type { Uploads } from './http/forms/uploads.ts';
import { publicBots, publicRoutes } from './http/public-routes.ts';
import { rejectNul } from './http/reject-nul.ts';
import { mailedLinkRoutes } from './modules/accounts/codes/link-routes.ts';
import { passkeyRoutes } from './modules/accounts/passkeys/passkey-routes.ts';
import { profileRoutes } from './modules/accounts/profile/profile-routes.ts';
import { accountRoutes } from './modules/accounts/routes.ts';
import { followSessions } from './modules/accounts/sessions/follow-sessions.ts';
import { sessionRoutes } from './modules/accounts/sessions/session-routes.ts';
import { alertRoutes } from './modules/alerts/routes.ts';
import { archiveRoutes } from './modules/archives/routes.ts';
import { backtestRoutes } from './modules/backtests/routes.ts';
import { createContinueChat } from './modules/chat/continue/continue-chat.ts';
import { continueRoutes } from './modules/chat/continue/routes.ts';
import { figureRoutes } from './modules/chat/figure-routes.ts';
import { chatImageRoutes } from './modules/chat/image-routes.ts';
import { createChatImport } from './modules/chat/import/import-chats.ts';
import { importRoutes } from './modules/chat/import/routes.ts';
import { chatRoutes } from './modules/chat/routes.ts';
import { chatLinkRoutes } from './modules/chat-links/routes.ts';
import { contactRoutes } from './modules/contacts/routes.ts';
import { exportRoutes } from './modules/export/routes.ts';
import { indicatorRoutes } from './modules/indicator/routes.ts';
import { createIndicators } from './modules/indicator/service.ts';
import { mailboxRoutes } from './modules/mailbox/routes.ts';
import { candleRoutes } from './modules/market/candle-routes.ts';
import { createCandles } from './modules/market/candles.ts';
import { rateRoutes } from './modules/market/rates/rate-routes.ts';
import { createRates } from './modules/market/rates/rates.ts';
import { marketRoutes } from './modules/market/routes.ts';
import { createMarketService } from './modules/market/service.ts';
import { notificationRoutes } from './modules/notifications/routes.ts';
import { notificationSettingsRoutes } from './modules/notifications/settings/routes.ts';
import { pushRoutes } from './modules/push/routes.ts';
import { subscriptionRoutes } from './modules/subscriptions/routes.ts';
import { testStoreRoutes } from './modules/subscriptions/test-store-routes.ts';
import { webhookRoutes } from './modules/subscriptions/webhook-routes.ts';
import { watchlistRoutes } from './modules/watchlist/routes.ts';
import type { Parts } from './parts.ts';
import { marketFigures } from './ports/analyst/market-figures.ts';
import { outboxDir } from './ports/mail/file-outbox.ts';
import { hasMailbox } from './ports/mail/open-mail.ts';
import type { Services } from './services.ts';

/** Registers the routes of all modules. A process with `ROLE=bots` serves the bot API alone. */
export async function registerRoutes(app: FastifyInstance, parts: Parts, services: Services, uploads: Uploads): Promise<void> {
  const { config } = parts;
  const { sessions, bots, audit, budgets } = services;
  const isWeb = config.role !== 'bots';
  const hasMail = isWeb && hasMailbox(config);

  /** Registers routes that need a token unless they are `public`, and that no cache may keep. */
  async function registerApi(prefix: string, register: (api: FastifyInstance) => void): Promise<void> {
    const scope = async (api: FastifyInstance) => {
      api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
      requireToken(api, sessions.authenticate);
      rejectNul(api);
      register(api);
    };
    await app.register(scope, { prefix });
  }

  if (isWeb) await registerApi(API_PREFIX, (api) => registerModules(api, { parts, services, uploads, hasMail }));
  await registerApi(BOT_API_PREFIX, (api) => bots.routes(api, { audit, budgets, backtests: parts.backtests }));
  if (hasMail) mailboxRoutes(app, { directory: outboxDir(config.dataDir) });
}

interface Modules {
  parts: Parts;
  services: Services;
  uploads: Uploads;
  hasMail: boolean;
}

function registerModules(api: FastifyInstance, { parts, services, uploads, hasMail }: Modules): void {
  const { config, db, clock, payments, market } = parts;
  const { publicUrl, secretsKey } = config;
  const { accounts, alerts, archives, audit, backtests, blobs, budgets, chatEvents, contacts, conversations, devices } = services;
  const { images, notifications, proofs, push, sessions, subscriptions, watchlists } = services;
  publicRoutes(api, () => ({
    mailbox: hasMail,
    analyst: parts.analyst.kind,
    store: payments.counter ? 'test' : 'none',
    bots: publicBots(config, parts.exchange.feed),
  }));
  accountRoutes(api, { accounts, sessions, audit });
  sessionRoutes(api, { sessions, devices, proofs, audit });
  passkeyRoutes(api, { passkeys: accounts.passkeys, access: accounts.passkeyAccess, demandProof: proofs.demand });
  profileRoutes(api, { db, uploads, profiles: accounts.profiles, secretsKey, demandProof: proofs.demand });
  mailedLinkRoutes(api, { accounts, publicUrl });
  contactRoutes(api, { db, contacts, blobs, uploads });
  const tellArchive = (userId: string, { id, archive_title: title, pinned_at = null }: Archive) =>
    chatEvents.emit('title', userId, { archive_id: id, title, pinned_at });
  archiveRoutes(api, { db, uploads, archives, onChanged: tellArchive });
  chatRoutes(api, { db, conversations });
  chatImageRoutes(api, { images, uploads });
  chatLinkRoutes(api, {
    db,
    links: services.chatLinks,
    async openPicture(userId, imageId) {
      const image = await images.find(userId, imageId, 'whole');
      const content = image && (await images.open(image));
      return content && { type: image.type, content };
    },
  });
  continueRoutes(api, { continueChat: createContinueChat({ db, archives, budgets }), onBegun: tellArchive });
  importRoutes(api, { importChats: createChatImport({ db, clock, budgets }) });
  figureRoutes(api, { figures: marketFigures(market, parts.exchange.perpetual) });
  marketRoutes(api, { market: createMarketService({ market, itemsOf: services.itemsOf }), isWatched: watchlists.isWatched });
  rateRoutes(api, { rates: createRates(market) });
  candleRoutes(api, { candles: createCandles({ db, clock, market }) });
  backtestRoutes(api, { db, backtests });
  exportRoutes(api, {
    db,
    clock,
    budgets,
    blobStore: blobs.store,
    onEnded: sessions.onEnded,
    followSessions: config.databaseUrl ? (watched) => followSessions({ sessions, ...watched }) : undefined,
  });
  indicatorRoutes(api, { indicators: createIndicators({ feed: parts.exchange.feed }) });
  notificationRoutes(api, { db, countClock: services.countClock, notifications });
  notificationSettingsRoutes(api, { preferences: services.preferences, telegram: services.telegramChats });
  pushRoutes(api, { push });
  alertRoutes(api, { db, alerts });
  watchlistRoutes(api, { db, watchlists });
  subscriptionRoutes(api, { db, subscriptions });
  webhookRoutes(api, { subscriptions, secret: config.webhookSecret });
  if (payments.counter) testStoreRoutes(api, { db, counter: payments.counter, subscriptions });
}
