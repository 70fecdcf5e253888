import type { Resource } from '#client/platform/cache/resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { type Bot, type BotList, type BotReport, botListAnswer, botReportAnswer } from '#contract/bots/bot.ts';
import { botCall } from './bot-call.ts';

/** How many commands have changed a bot here: an answer that was asked for before the last of them is older than it. */
let changes = 0;

interface Dated<Wire> {
  wire: Wire;
  asked: number;
}

async function dated<Wire>(fetch: () => Promise<Wire>): Promise<Dated<Wire>> {
  const asked = changes;
  return { asked, wire: await fetch() };
}

/** The user's bots, oldest first, as the service last had them. */
export const botList: Resource<{ userId: string }, Dated<BotList>, Bot[]> = {
  key: () => 'bots',

  fetch: ({ userId }) =>
    dated(async () => {
      const path = `/users/${encodeURIComponent(userId)}/trading-bots`;
      return (await botCall(path, { userId, as: 'header', answer: botListAnswer })).data;
    }),

  async write(db, _params, { wire: { bots }, asked }) {
    if (asked !== changes) return;
    const ids = new Set(bots.map(({ bot_id }) => bot_id));
    const gone = (await db.bots.toCollection().primaryKeys()).filter((id) => !ids.has(id));
    await forget(db, gone);
    await db.bots.bulkPut(bots);
  },

  async read(db, _params, stamped) {
    const rows = await db.bots.orderBy('created_at').toArray();
    return stamped || rows.length > 0 ? rows : undefined;
  },
};

/** One bot in full. */
export const botReport: Resource<{ userId: string; botId: string }, Dated<BotReport>, BotReport> = {
  key: ({ botId }) => `bot/${botId}`,

  fetch: ({ userId, botId }) =>
    dated(async () => (await botCall(`${pathOf(botId)}/report`, { userId, as: 'query', answer: botReportAnswer })).data),

  async write(db, { botId }, { wire, asked }) {
    if (asked !== changes) return;
    await db.botReports.put({ ...wire, id: botId });
    await db.bots.put(wire.bot);
  },

  read: (db, { botId }) => db.botReports.get(botId),
};

export const pathOf = (botId: string): string => `/trading-bots/${encodeURIComponent(botId)}`;

/** What a command answered: the bot as it is now, in the place of what was known of it. */
export async function storeBot(db: UserDb, bot: Bot): Promise<void> {
  changes++;
  await db.transaction('rw', db.bots, db.botReports, async () => {
    await db.bots.put(bot);
    await db.botReports.update(bot.bot_id, { bot });
  });
}

/** A bot that was deleted leaves nothing behind on the device. */
export async function removeBot(db: UserDb, botId: string): Promise<void> {
  changes++;
  await db.transaction('rw', db.bots, db.botReports, db.stamps, () => forget(db, [botId]));
}

async function forget(db: UserDb, ids: string[]) {
  await db.bots.bulkDelete(ids);
  await db.botReports.bulkDelete(ids);
  await db.stamps.bulkDelete(ids.map((botId) => `bot/${botId}`));
}
