import type * as z from 'zod/mini';
import type { Resource } from '#client/platform/cache/resource.ts';
import type { BotAnswerRow, UserTables } from '#client/platform/db/user-db.ts';
import { type BotChart, botChartAnswer } from '#contract/bots/bot-chart.ts';
import { type BotComparison, botComparisonAnswer } from '#contract/bots/bot-comparison.ts';
import {
  type BotProfits,
  type BotTrades,
  type BotTradesQuery,
  botProfitsAnswer,
  botTradesAnswer,
  type DeletedBot,
  deletedBotsAnswer,
} from '#contract/bots/trade-history.ts';
import { botCall } from '../bot-call.ts';
import { pathOf } from '../bot-resources.ts';

/** Maximum number of answers about bots on the device. */
const MAX_STORED = 100;

interface OfBot {
  userId: string;
  botId: string;
}

interface Kept<Params extends { userId: string; botId?: string }, Data> {
  key: (params: Params) => string;
  path: (params: Params) => string;
  answer: z.ZodMiniType<{ data: Data }>;
}

/** Creates a resource whose answers the device stores as they are. */
const storedAnswer = <Params extends { userId: string; botId?: string }, Data>({
  key,
  path,
  answer,
}: Kept<Params, Data>): Resource<Params, Data, Data> => ({
  key,
  fetch: async (params) => (await botCall(path(params), { userId: params.userId, as: 'header', answer })).data,
  show: (data) => data,

  async write(db, params, data) {
    const bot_id = params.botId ?? '';
    if ((await db.botAnswers.count()) >= MAX_STORED) await makeRoom(db, bot_id);
    await db.botAnswers.put({ key: key(params), bot_id, answer: data });
  },

  read: async (db, params) => (await db.botAnswers.get(key(params)))?.answer as Data | undefined,
});

/** Deletes the answers about other bots and all pages of trades, to make room for an answer about this bot. */
async function makeRoom(db: UserTables, botId: string): Promise<void> {
  const isSpare = ({ key, bot_id }: BotAnswerRow) => bot_id !== botId || key.startsWith(`bot/${botId}/trades`);
  const keys = await db.botAnswers.filter(isSpare).primaryKeys();
  await db.botAnswers.bulkDelete(keys);
  await db.stamps.bulkDelete(keys);
}

export type TradesView = Pick<BotTradesQuery, 'sort' | 'order' | 'offset'>;

const tradesQuery = ({ sort, order, offset }: TradesView) => `trades?sort=${sort}&order=${order}&offset=${offset}`;

/** A page of a bot's closed trades. The bot may be deleted. */
export const tradesPage = storedAnswer<OfBot & TradesView, BotTrades>({
  key: (params) => `bot/${params.botId}/${tradesQuery(params)}`,
  path: (params) => `${pathOf(params.botId)}/${tradesQuery(params)}`,
  answer: botTradesAnswer,
});

/** A bot's profit per day. The bot may be deleted. */
export const botProfits = storedAnswer<OfBot, BotProfits>({
  key: ({ botId }) => `bot/${botId}/profits`,
  path: ({ botId }) => `${pathOf(botId)}/profits`,
  answer: botProfitsAnswer,
});

/** A bot beside the backtest of the same days. */
export const botComparison = storedAnswer<OfBot, BotComparison>({
  key: ({ botId }) => `bot/${botId}/comparison`,
  path: ({ botId }) => `${pathOf(botId)}/comparison`,
  answer: botComparisonAnswer,
});

/** The candles that a bot trades on, with its trades. */
export const botChart = storedAnswer<OfBot, BotChart>({
  key: ({ botId }) => `bot/${botId}/chart`,
  path: ({ botId }) => `${pathOf(botId)}/chart`,
  answer: botChartAnswer,
});

/** The user's deleted bots with trades, most recently deleted first. */
export const deletedBots = storedAnswer<{ userId: string }, DeletedBot[]>({
  key: () => 'bots/deleted',
  path: () => '/trading-bots/deleted',
  answer: deletedBotsAnswer,
});
