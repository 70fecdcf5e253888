import { type BotProfits, type BotTrades, type BotTradesQuery, type DeletedBot, TRADES_PER_PAGE } from '#contract/bots/trade-history.ts';
import { profitByDay } from '#domain/bots/profits.ts';
import { isPlayMoney } from '#server/bots/messages/money.ts';
import { findBot } from '#server/bots/store/bots.ts';
import {
  countTrades,
  type DeletedBotRow,
  findDeletedBot,
  findDeletedBots,
  findProfits,
  findTradePage,
} from '#server/bots/store/trade-history.ts';
import type { Db } from '#server/db/open.ts';
import { notFound } from '#server/http/errors.ts';
import { toTrade } from '../report.ts';
import { CSV_HEADER, csvLine } from './trades-csv.ts';

/** Trades in memory while a file is written. */
const FILE_PAGE = 500;

const toDeletedBot = (row: DeletedBotRow): DeletedBot => ({
  bot_id: row.id,
  bot_name: row.name,
  exchange: row.exchange,
  paper: isPlayMoney(row),
  position_size: row.positionSize,
  created_at: row.createdAt.toISOString(),
  deleted_at: row.deletedAt.toISOString(),
});

/** Creates the reads of trades of a user's bots, deleted ones included. Each throws 404 for a bot that is not the user's. */
export function createTradeHistory({ db }: { db: Db }) {
  async function demandName(userId: string, id: string): Promise<string> {
    const row = (await findBot(db, userId, id)) ?? (await findDeletedBot(db, userId, id));
    if (!row) throw notFound();
    return row.name;
  }

  async function* csvOf(of: { userId: string; botId: string }): AsyncGenerator<string> {
    yield CSV_HEADER;
    for (let offset = 0; ; offset += FILE_PAGE) {
      // Oldest first, so that a trade that closes meanwhile moves no others.
      const page = await findTradePage(db, of, { sort: 'closed_at', order: 'asc', offset, limit: FILE_PAGE });
      yield page.map((row) => csvLine(toTrade(row))).join('');
      if (page.length < FILE_PAGE) return;
    }
  }

  return {
    deletedBots: async (userId: string): Promise<DeletedBot[]> => (await findDeletedBots(db, userId)).map(toDeletedBot),

    async trades(userId: string, botId: string, query: BotTradesQuery): Promise<BotTrades> {
      await demandName(userId, botId);
      const of = { userId, botId };
      const [rows, total] = await Promise.all([findTradePage(db, of, { ...query, limit: TRADES_PER_PAGE }), countTrades(db, of)]);
      return { trades: rows.map(toTrade), total };
    },

    async profits(userId: string, botId: string): Promise<BotProfits> {
      await demandName(userId, botId);
      return { days: profitByDay(await findProfits(db, { userId, botId })) };
    },

    /** Returns the bot's name and all closed trades as lines of CSV. */
    async tradesFile(userId: string, botId: string): Promise<{ botName: string; lines: AsyncGenerator<string> }> {
      return { botName: await demandName(userId, botId), lines: csvOf({ userId, botId }) };
    },
  };
}
