import { eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { botEquity, botEvents, botOrders, bots, botTrades } from '#server/db/schema/bots.ts';
import { archives, charges, chatImages, chats } from '#server/db/schema/chat.ts';
import { codeGuards, codes, mailedLinks } from '#server/db/schema/codes.ts';
import { contactFiles, contactMessages } from '#server/db/schema/contacts.ts';
import { watchedCoins } from '#server/db/schema/market.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { operatorSwitches } from '#server/db/schema/operations.ts';
import { paperAccounts, paperFills, paperOrders } from '#server/db/schema/paper.ts';
import { budgets, idempotency } from '#server/db/schema/requests.ts';
import { refreshTokens, sessions } from '#server/db/schema/sessions.ts';
import { subscriptions, testStore } from '#server/db/schema/subscriptions.ts';
import { profilePictures, registrations, users } from '#server/db/schema/users.ts';

/** What rows of a user are found by. */
export interface Whose {
  userId: string;
  appUserId: string;
  /** As stored: trimmed and in lower case. */
  email: string;
}

interface ErasedTable {
  table: PgTable;
  /** The rows of the user. */
  rows: (whose: Whose) => SQL;
}

type OfUser = PgTable & { userId: PgColumn };
type OfBot = PgTable & { botId: PgColumn };

const ofUser = (table: OfUser): ErasedTable => ({ table, rows: ({ userId }) => eq(table.userId, userId) });

const ofBot = (table: OfBot): ErasedTable => ({
  table,
  rows: ({ userId }) => sql`${table.botId} in (select ${bots.id} from ${bots} where ${bots.userId} = ${userId})`,
});

/** Holders of codes: the user, and sign-ups of their address that wait for their code. */
const heldBy = (column: PgColumn, { userId, email }: Whose): SQL =>
  sql`(${column} = ${userId} or ${column} in (select ${registrations.id} from ${registrations} where ${registrations.email} = ${email}))`;

/** Every table with rows of a user, in the order of deletion: rows that others refer to come after those. */
export const ERASED_TABLES: readonly ErasedTable[] = [
  ofBot(botEquity),
  ofBot(botEvents),
  ofBot(botTrades),
  ofBot(botOrders),
  ofBot(paperFills),
  ofBot(paperOrders),
  ofBot(paperAccounts),
  ofUser(bots),
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
  ofUser(sessions),
  ofUser(chats),
  ofUser(charges),
  ofUser(chatImages),
  ofUser(archives),
  ofUser(watchedCoins),
  ofUser(idempotency),
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
    // A word of its own: another address may end in this one.
    rows: ({ userId, email }) => sql`string_to_array(${budgets.key}, ' ') && array[${userId}, ${email}]::text[]`,
  },
  { table: operatorSwitches, rows: ({ userId }) => sql`${operatorSwitches.name} like ${`%:${userId}`}` },
  { table: users, rows: ({ userId }) => eq(users.id, userId) },
];

/** Tables that hold nothing of a user, each with the reason. The test of the erasure refuses a table that is in neither list. */
export const KEPT_TABLES: Readonly<Record<string, string>> = {
  coin_days: 'Prices of the market.',
  store_events: 'Ids of events and receipts that stores made up; they name no user.',
  bot_signals: 'Signals of the market, the same for all bots.',
  leases: 'Which process leads.',
  paper_feed: 'The clock of the paper market.',
};
