import { setTimeout as delay } from 'node:timers/promises';
import type { Tx } from '#server/db/open.ts';
import { Problem } from '#server/http/errors.ts';
import { otherExchangeReason } from '../messages/money.ts';
import { fatalReason } from '../messages/refusals.ts';
import { type BotRow, deleteBot, findBot, findBots } from '../store/bots.ts';
import { keepDeletedBot } from '../store/trade-history.ts';
import { demandBot, type ServiceParts } from './service-parts.ts';
import type { BotStartStop } from './start-stop.ts';

/** Attempts to close a bot's position before its deletion fails, and the pause between them in ms. */
const CLOSE_ATTEMPTS = 10;
const RETRY_DELAY = 300;

const deletionFailed = () => new Problem(502, 'exchange', 'Failed to delete trading bot');

const isClosed = (row: BotRow): boolean => row.status === 'STOPPED' && row.position === null;

export function createBotDeletion(parts: ServiceParts, { stop }: Pick<BotStartStop, 'stop'>) {
  const { db, clock, exchange, runBotCycle } = parts;

  /**
   * Stops a bot and closes its position, before its deletion.
   * @returns false if the account is out of reach: the exchange refuses the key, no process can open it, or the bot is of another
   * exchange. The bot can be deleted all the same.
   * @throws Problem if the exchange did not confirm. The bot continues to stop.
   */
  async function closeBot(userId: string, id: string): Promise<boolean> {
    for (let attempt = 0; attempt < CLOSE_ATTEMPTS; attempt++) {
      const row = await findBot(db, userId, id);
      if (!row || isClosed(row)) return true;
      if (otherExchangeReason(row, exchange) !== null) return false;
      if (row.status !== 'STOPPING' || row.stopMode !== 'close') await db.transaction((tx) => stop(tx, userId, id, 'close'));
      const done = await runBotCycle(id).catch((error: unknown) => {
        if (fatalReason(error) !== null) return 'out of reach';
        throw deletionFailed();
      });
      if (done === 'out of reach') return false;
      if (!done) await delay(RETRY_DELAY);
    }
    throw deletionFailed();
  }

  return {
    closeBot,

    /**
     * Stops all bots of a user, before the account's deletion, and closes their positions.
     * @returns how many bots stopped, and how many accounts are out of reach.
     * @throws Problem that names the bot that has to wait. It continues to stop.
     */
    async closeAll(userId: string): Promise<{ stopped: number; out_of_reach: number }> {
      const rows = await findBots(db, userId);
      let outOfReach = 0;
      for (const row of rows) {
        const otherExchange = otherExchangeReason(row, exchange);
        if (otherExchange !== null && row.position !== null)
          throw new Problem(409, 'elsewhere', `Bot ${row.id} holds a position. ${otherExchange}`);
        const isReached = await closeBot(userId, row.id).catch((error: unknown) => {
          if (!(error instanceof Problem)) throw error;
          throw new Problem(502, 'exchange', `The exchange did not confirm that bot ${row.id} is closed.`);
        });
        if (!isReached) outOfReach += 1;
      }
      return { stopped: rows.length, out_of_reach: outOfReach };
    },

    /** Deletes a bot and keeps its trades. Throws 404 if it is gone, and 502 if it was started again after `closeBot`. */
    async remove(tx: Tx, userId: string, id: string): Promise<void> {
      const row = await demandBot(tx, userId, id);
      const isActive = row.status === 'RUNNING' || row.status === 'PROVISIONING';
      if (isActive && otherExchangeReason(row, exchange) === null) throw deletionFailed();
      await keepDeletedBot(tx, row, clock());
      await deleteBot(tx, id);
    },
  };
}
