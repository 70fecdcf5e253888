import { eq, sql } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import { alertFirings, alerts } from '#server/db/schema/alerts.ts';
import { backtests } from '#server/db/schema/backtests.ts';
import { botEquity, botEvents, botOrders, bots, botTrades, deletedBots } from '#server/db/schema/bots.ts';
import { archives, chatLinks, chats } from '#server/db/schema/chat.ts';
import { deliveries, destinations, notificationSettings } from '#server/db/schema/deliveries.ts';
import { watchedCoins } from '#server/db/schema/market.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import { columnsOf, type Source } from './pages.ts';

const EXTENSIONS: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp', 'image/gif': 'gif' };
export const extensionOf = (type: string): string => EXTENSIONS[type] ?? 'bin';

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).sort();

export const chatPictureName = (id: string, type: string): string => `pictures/chats/${id}.${extensionOf(type)}`;

/** Account lists by file. Columns are listed explicitly, so that a new secret column is not exported. */
export function accountLists(userId: string): Record<string, Source> {
  // Drizzle would leave out the tables of columns here. Rows of older releases may name a picture in another way.
  const imageType = sql<string | null>`(select type from chat_images where chat_images.user_id = chats.user_id
    and chat_images.id = case when chats.chat_image ~ '^[0-9a-f-]{36}$' then chats.chat_image::uuid end)`;
  return {
    'profile.json': {
      table: users,
      columns: columnsOf(users, 'id', 'email', 'firstName', 'lastName', 'country', 'verifiedAt', 'createdAt'),
      rows: eq(users.id, userId),
      order: [users.id],
    },
    'subscription.json': {
      table: subscriptions,
      columns: columnsOf(subscriptions, 'plan', 'store', 'endsAt', 'renews', 'nextPlan', 'verifiedAt'),
      rows: eq(subscriptions.userId, userId),
      order: [subscriptions.userId],
    },
    'chats.json': {
      table: archives,
      columns: columnsOf(archives, 'id', 'title', 'createdAt', 'pinnedAt'),
      rows: eq(archives.userId, userId),
      order: [archives.createdAt, archives.id],
    },
    'chat-messages.json': {
      table: chats,
      columns: {
        ...columnsOf(
          ...([chats, 'id', 'archiveId', 'position', 'userMessage', 'aiResponse', 'action', 'figures', 'marks'] as const),
          ...(['coins', 'choices', 'failed', 'stopped', 'rating', 'createdAt', 'answeredAt'] as const),
        ),
        image: chats.imageId,
        image_type: imageType,
      },
      mapRow: ({ image, image_type, ...message }) => ({
        ...message,
        picture: image_type ? chatPictureName(String(image), String(image_type)) : null,
      }),
      rows: eq(chats.userId, userId),
      order: [chats.archiveId, chats.position],
    },
    'shared-chats.json': {
      table: chatLinks,
      columns: columnsOf(
        ...([chatLinks, 'id', 'archiveId', 'title', 'messages', 'leftOut', 'withPictures', 'createdAt', 'expiresAt'] as const),
      ),
      rows: eq(chatLinks.userId, userId),
      order: [chatLinks.createdAt, chatLinks.id],
    },
    'watchlist.json': {
      table: watchedCoins,
      columns: columnsOf(watchedCoins, 'coinId', 'symbol', 'name', 'place', 'createdAt'),
      rows: eq(watchedCoins.userId, userId),
      order: [watchedCoins.coinId],
    },
    'notifications.json': {
      table: notifications,
      columns: columnsOf(notifications, 'kind', 'text', 'link', 'readAt', 'createdAt'),
      rows: eq(notifications.userId, userId),
      order: [notifications.createdAt, notifications.id],
    },
    'passkeys.json': {
      table: passkeys,
      columns: columnsOf(passkeys, 'name', 'createdAt', 'lastUsedAt'),
      rows: eq(passkeys.userId, userId),
      order: [passkeys.createdAt, passkeys.id],
    },
    'devices.json': {
      table: sessions,
      columns: columnsOf(sessions, 'clientName', 'network', 'createdAt', 'lastSeenAt', 'revokedAt'),
      rows: eq(sessions.userId, userId),
      order: [sessions.createdAt, sessions.id],
    },
  };
}

/** How notifications reach a user, by file. */
export function channelLists(userId: string): Record<string, Source> {
  return {
    'notification-settings.json': {
      table: notificationSettings,
      columns: columnsOf(notificationSettings, 'choices', 'quietFrom', 'quietTo', 'timeZone'),
      rows: eq(notificationSettings.userId, userId),
      order: [notificationSettings.userId],
    },
    'notification-channels.json': {
      table: destinations,
      columns: {
        ...columnsOf(destinations, 'channel', 'endedAt', 'createdAt'),
        // A browser's address lets anyone who knows it send to it: of a browser, only its push service.
        address: sql<string>`case when ${destinations.channel} = 'push' then substring(${destinations.address} from '^[a-z]+://[^/]+') else ${destinations.address} end`,
      },
      rows: eq(destinations.userId, userId),
      order: [destinations.createdAt, destinations.id],
    },
    'notification-deliveries.json': {
      table: deliveries,
      columns: columnsOf(deliveries, 'notificationId', 'channel', 'state', 'urgent', 'sentAt', 'shownAt', 'openedAt', 'createdAt'),
      rows: eq(deliveries.userId, userId),
      order: [deliveries.createdAt, deliveries.id],
    },
  };
}

/** A user's price alerts by file. */
export function alertLists(userId: string): Record<string, Source> {
  return {
    'alerts.json': {
      table: alerts,
      columns: columnsOf(
        ...([alerts, 'id', 'kind', 'coinId', 'coinName', 'coinSymbol', 'level', 'period', 'levelName', 'note'] as const),
        ...(['rearms', 'expiresAt', 'paused', 'firedAt', 'createdAt'] as const),
      ),
      rows: eq(alerts.userId, userId),
      order: [alerts.createdAt, alerts.id],
    },
    'alert-history.json': {
      table: alertFirings,
      columns: columnsOf(
        ...([alertFirings, 'id', 'alertId', 'kind', 'coinId', 'coinName', 'coinSymbol', 'level', 'period', 'levelName'] as const),
        ...(['note', 'price', 'change', 'source', 'at'] as const),
      ),
      rows: eq(alertFirings.userId, userId),
      order: [alertFirings.createdAt, alertFirings.id],
    },
  };
}

/** A user's bot lists by file, without any key data. */
export function botLists(userId: string): Record<string, Source> {
  const present = async (db: Db) => idsOf(await db.select({ id: bots.id }).from(bots).where(eq(bots.userId, userId)));
  const deleted = async (db: Db) => idsOf(await db.select({ id: deletedBots.id }).from(deletedBots).where(eq(deletedBots.userId, userId)));
  // A bot that is deleted between the two reads counts once.
  const ever = async (db: Db) => [...new Set([...(await present(db)), ...(await deleted(db))])].sort();
  return {
    'bots.json': {
      table: bots,
      columns: columnsOf(
        ...([bots, 'id', 'name', 'status', 'statusReason', 'pausedBy', 'pausedReason', 'positionSize', 'leverage', 'maxDrawdown'] as const),
        ...(['exchange', 'testnet', 'equity', 'position', 'keyExpiresAt', 'lastExchangeAt', 'createdAt'] as const),
      ),
      rows: eq(bots.userId, userId),
      order: [bots.createdAt, bots.id],
    },
    'deleted-bots.json': {
      table: deletedBots,
      columns: columnsOf(deletedBots, 'id', 'name', 'exchange', 'testnet', 'positionSize', 'createdAt', 'deletedAt'),
      rows: eq(deletedBots.userId, userId),
      order: [deletedBots.deletedAt, deletedBots.id],
    },
    'bot-orders.json': {
      table: botOrders,
      columns: columnsOf(
        ...([botOrders, 'clientId', 'botId', 'purpose', 'direction', 'quantity', 'stop', 'target', 'state', 'exchangeId'] as const),
        ...(['price', 'filled', 'reason', 'createdAt', 'updatedAt'] as const),
      ),
      rows: undefined,
      by: { column: botOrders.botId, ids: present },
      order: [botOrders.createdAt, botOrders.clientId],
    },
    'bot-trades.json': {
      table: botTrades,
      columns: columnsOf(
        ...([botTrades, 'id', 'botId', 'entryId', 'side', 'quantity', 'entryPrice', 'exitPrice', 'pnl', 'fees', 'funding'] as const),
        ...(['reason', 'openedAt', 'closedAt'] as const),
      ),
      rows: eq(botTrades.userId, userId),
      by: { column: botTrades.botId, ids: ever },
      order: [botTrades.openedAt, botTrades.id],
    },
    'bot-journal.json': {
      table: botEvents,
      columns: columnsOf(botEvents, 'botId', 'actor', 'kind', 'text', 'createdAt'),
      rows: undefined,
      by: { column: botEvents.botId, ids: present },
      order: [botEvents.createdAt, botEvents.id],
    },
    'backtests.json': {
      table: backtests,
      columns: columnsOf(backtests, 'id', 'status', 'settings', 'result', 'reason', 'createdAt'),
      rows: eq(backtests.userId, userId),
      order: [backtests.createdAt, backtests.id],
    },
    'bot-equity.json': {
      table: botEquity,
      columns: columnsOf(botEquity, 'botId', 'at', 'equity'),
      rows: undefined,
      by: { column: botEquity.botId, ids: present },
      order: [botEquity.at],
    },
  };
}
