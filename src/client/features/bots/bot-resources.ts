import type { Resource } from '#client/platform/cache/resource.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { type Bot, type BotList, type BotReport, botListAnswer, botReportAnswer } from '#contract/bots/bot.ts';
import { botCall } from './bot-call.ts';

/** Counts the commands that changed a bot here. A fetch that began before the last one is outdated. */
let changes = 0;

interface Versioned<Wire> {
  wire: Wire;
  changesBefore: number;
}

async function versioned<Wire>(fetch: () => Promise<Wire>): Promise<Versioned<Wire>> {
  const changesBefore = changes;
  return { changesBefore, wire: await fetch() };
}

/** The user's bots, oldest first. */
export const botList: Resource<{ userId: string }, Versioned<BotList>, Bot[]> = {
  key: () => 'bots',

  fetch: ({ userId }) =>
    versioned(async () => {
      const path = `/users/${encodeURIComponent(userId)}/trading-bots`;
      return (await botCall(path, { userId, as: 'header', answer: botListAnswer })).data;
    }),

  async write(db, _params, { wire: { bots }, changesBefore }) {
    if (changesBefore !== changes) return;
    const ids = new Set(bots.map(({ bot_id }) => bot_id));
    const gone = (await db.bots.toCollection().primaryKeys()).filter((id) => !ids.has(id));
    await deleteRows(db, gone);
    await db.bots.bulkPut(bots);
  },

  async read(db, _params, stamped) {
    const rows = await db.bots.orderBy('created_at').toArray();
    return stamped || rows.length > 0 ? rows : undefined;
  },
};

/** One bot with its equity, trades and journal. */
export const botReport: Resource<{ userId: string; botId: string }, Versioned<BotReport>, BotReport> = {
  key: ({ botId }) => `bot/${botId}`,

  fetch: ({ userId, botId }) =>
    versioned(async () => (await botCall(`${pathOf(botId)}/report`, { userId, as: 'query', answer: botReportAnswer })).data),

  async write(db, { botId }, { wire, changesBefore }) {
    if (changesBefore !== changes) return;
    await db.botReports.put({ ...wire, id: botId });
    await db.bots.put(wire.bot);
  },

  read: (db, { botId }) => db.botReports.get(botId),
};

export const pathOf = (botId: string): string => `/trading-bots/${encodeURIComponent(botId)}`;

/** Stores the bot that a command returned, in the list and in its report. */
export async function storeBot(db: UserDb, bot: Bot): Promise<void> {
  changes++;
  await transact(db, [db.bots, db.botReports], async (db) => {
    await db.bots.put(bot);
    await db.botReports.update(bot.bot_id, { bot });
  });
}

/** Deletes a bot from the device. Its trades stay, because the service keeps them. */
export async function removeBot(db: UserDb, botId: string): Promise<void> {
  changes++;
  await transact(db, [db.bots, db.botReports, db.stamps], (db) => deleteRows(db, [botId]));
}

async function deleteRows(db: UserTables, ids: string[]) {
  await db.bots.bulkDelete(ids);
  await db.botReports.bulkDelete(ids);
  await db.stamps.bulkDelete(ids.map((botId) => `bot/${botId}`));
}
