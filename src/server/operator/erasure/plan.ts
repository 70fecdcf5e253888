import { eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { alertFirings, alerts, alertWatches } from '#server/db/schema/alerts.ts';
import { backtests } from '#server/db/schema/backtests.ts';
import { botEquity, botEvents, botOrders, bots, botTrades, deletedBots } from '#server/db/schema/bots.ts';
import { archives, charges, chatImages, chatLinks, chats } from '#server/db/schema/chat.ts';
import { codeGuards, codes, mailedLinks } from '#server/db/schema/codes.ts';
import { contactFiles, contactMessages } from '#server/db/schema/contacts.ts';
import { connectionCodes, deliveries, destinations, notificationSettings } from '#server/db/schema/deliveries.ts';
import { watchedCoins } from '#server/db/schema/market.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { operatorSwitches } from '#server/db/schema/operations.ts';
import { paperAccounts, paperFills, paperOrders } from '#server/db/schema/paper.ts';
import { passkeyChallenges, passkeys } from '#server/db/schema/passkeys.ts';
import { budgets, idempotency } from '#server/db/schema/requests.ts';
import { refreshTokens, sessions } from '#server/db/schema/sessions.ts';
import { subscriptions, testStore } from '#server/db/schema/subscriptions.ts';
import { profilePictures, registrations, users } from '#server/db/schema/users.ts';

/** The keys of a user's rows. */
export interface Whose {
  userId: string;
  appUserId: string;
  /** Trimmed and in lower case. */
  email: string;
}

interface ErasedTable {
  table: PgTable;
  /** Selects the user's rows. */
  rows: (whose: Whose) => SQL;
}

type OfUser = PgTable & { userId: PgColumn };
type OfBot = PgTable & { botId: PgColumn };

const ofUser = (table: OfUser): ErasedTable => ({ table, rows: ({ userId }) => eq(table.userId, userId) });

const ofBot = (table: OfBot): ErasedTable => ({
  table,
  rows: ({ userId }) => sql`${table.botId} in (select ${bots.id} from ${bots} where ${bots.userId} = ${userId})`,
});

/** Selects rows of the user and of pending sign-ups with the user's address. */
const heldBy = (column: PgColumn, { userId, email }: Whose): SQL =>
  sql`(${column} = ${userId} or ${column} in (select ${registrations.id} from ${registrations} where ${registrations.email} = ${email}))`;

/** Every table with users' rows, in the order of deletion: referencing tables come before the referenced ones. */
export const ERASED_TABLES: readonly ErasedTable[] = [
  ofBot(botEquity),
  ofBot(botEvents),
  ofUser(botTrades),
  ofUser(deletedBots),
  ofBot(botOrders),
  ofBot(paperFills),
  ofBot(paperOrders),
  ofBot(paperAccounts),
  ofUser(bots),
  ofUser(backtests),
  {
    table: contactFiles,
    rows: ({ userId }) =>
      sql`${contactFiles.messageId} in (select ${contactMessages.id} from ${contactMessages} where ${contactMessages.userId} = ${userId})`,
  },
  ofUser(contactMessages),
  {
    table: refreshTokens,
    rows: ({ userId }) => sql`${refreshTokens.sessionId} in (select ${sessions.id} from ${sessions} where ${sessions.userId} = ${userId})`,
  },
  ofUser(passkeyChallenges),
  ofUser(passkeys),
  ofUser(sessions),
  ofUser(chats),
  ofUser(charges),
  ofUser(chatImages),
  ofUser(chatLinks),
  ofUser(archives),
  ofUser(alertWatches),
  ofUser(alertFirings),
  ofUser(alerts),
  ofUser(watchedCoins),
  ofUser(idempotency),
  ofUser(deliveries),
  ofUser(destinations),
  ofUser(connectionCodes),
  ofUser(notificationSettings),
  ofUser(notifications),
  ofUser(profilePictures),
  ofUser(subscriptions),
  { table: codes, rows: (whose) => heldBy(codes.userId, whose) },
  { table: codeGuards, rows: (whose) => heldBy(codeGuards.userId, whose) },
  { table: mailedLinks, rows: (whose) => sql`(${heldBy(mailedLinks.userId, whose)} or ${heldBy(mailedLinks.registrationId, whose)})` },
  { table: registrations, rows: ({ email }) => eq(registrations.email, email) },
  { table: testStore, rows: ({ appUserId }) => eq(testStore.appUserId, appUserId) },
  {
    table: budgets,
    // Match whole words: another address may end with this one.
    rows: ({ userId, email }) => sql`string_to_array(${budgets.key}, ' ') && array[${userId}, ${email}]::text[]`,
  },
  { table: operatorSwitches, rows: ({ userId }) => sql`${operatorSwitches.name} like ${`%:${userId}`}` },
  { table: users, rows: ({ userId }) => eq(users.id, userId) },
];

/** Tables without users' data, and why. A test requires every table to be in one of the two lists. */
export const KEPT_TABLES: Readonly<Record<string, string>> = {
  alert_prices: 'How far the prices of coins are checked.',
  cleanup_marks: 'How far the cleanup has come. A cursor names a row for hours, until the next run.',
  client_files: 'Scripts, styles and fonts of the app.',
  coin_days: 'Prices of the market.',
  market_answers: 'Answers of the market’s provider.',
  store_events: 'Ids of events and receipts that stores made up; they name no user.',
  bot_signals: 'Signals of the market, the same for all bots.',
  kept_settings: 'Defaults of earlier versions that this installation keeps.',
  leases: 'Which process leads.',
  limit_counts: 'Uses of rate limits by keyed hashes, for an hour at most.',
  secret_fingerprints: 'Fingerprints of the secrets of the installation.',
  push_keys: 'The installation’s own key for web push, encrypted.',
  paper_feed: 'The clock of the paper market.',
};
