import type { Bot, StopMode } from '#contract/bots/bot.ts';
import type { Tx } from '#server/db/open.ts';
import { Problem } from '#server/http/errors.ts';
import { guardReason } from '#server/strategy/guards.ts';
import { otherExchangeReason } from '../messages/money.ts';
import { readGuards } from '../positions/risk-guards.ts';
import { type BotRow, closedCandles, NO_FAILURES } from '../store/bots.ts';
import { haltReason } from '../store/halts.ts';
import { positionOf } from '../store/position.ts';
import { changeBot, demandAccess, demandBot, demandMeasured, type ServiceParts, showBot } from './service-parts.ts';

async function stopRow(parts: ServiceParts, tx: Tx, row: BotRow, stopMode: StopMode): Promise<Bot> {
  const isStopped = row.status === 'STOPPED' && (row.position === null || stopMode === 'keep');
  if (isStopped || (row.status === 'STOPPING' && row.stopMode === stopMode)) return showBot(parts, tx, row);
  const text =
    stopMode === 'close' ? 'Stopping. An open position closes at market price.' : 'Stopping. An open position stays, with its stop.';
  const set = { ...NO_FAILURES, status: 'STOPPING', stopMode, closing: null, statusReason: null } as const;
  return changeBot(parts, tx, row, { set, kind: 'stopping', text });
}

export const createBotStartStop = (parts: ServiceParts) => ({
  /** Starts a bot. The engine checks its key and account before it trades, from the next closed candle on. */
  async start(tx: Tx, userId: string, id: string): Promise<Bot> {
    const row = await demandBot(tx, userId, id);
    if (row.status === 'RUNNING' || row.status === 'PROVISIONING') return showBot(parts, tx, row);
    if (row.status === 'STOPPING') throw new Problem(409, 'bot_stopping', 'The bot is still stopping. Try again in a moment.');
    await demandAccess(parts, tx, userId);
    demandMeasured(parts.exchange);
    const halted = await haltReason(tx, userId);
    if (halted !== null) throw new Problem(409, 'halted', halted);
    const fresh = { ...NO_FAILURES, statusReason: null, pausedBy: null, pausedReason: null, stopMode: null };
    const set = { ...fresh, status: 'PROVISIONING', handledCandle: closedCandles(parts.exchange.feed) } as const;
    return changeBot(parts, tx, row, { set, kind: 'started', text: 'Started.' });
  },

  /** @param stopMode what happens to an open position. */
  stop: async (tx: Tx, userId: string, id: string, stopMode: StopMode): Promise<Bot> =>
    stopRow(parts, tx, await demandBot(tx, userId, id), stopMode),

  /**
   * Closes the open position at market price. The bot goes on as before, and enters after the next closed candle at the earliest.
   * @param positionId the position that the user saw.
   * @throws Problem if the bot holds another one.
   */
  async close(tx: Tx, userId: string, id: string, positionId?: string): Promise<Bot> {
    const row = await demandBot(tx, userId, id);
    const entryId = positionOf(row)?.entryId;
    if (entryId === undefined || row.closing?.entryId === entryId) return showBot(parts, tx, row);
    const otherExchange = otherExchangeReason(row, parts.exchange);
    if (otherExchange !== null) throw new Problem(409, 'elsewhere', otherExchange);
    if (positionId !== undefined && positionId !== entryId)
      throw new Problem(409, 'other_position', 'That position is closed, and the bot holds another one now. Check it before you close it.');
    if (row.status === 'STOPPING') return stopRow(parts, tx, row, 'close');
    const closing = { entryId, at: parts.clock() };
    const set = { ...NO_FAILURES, closing, handledCandle: closedCandles(parts.exchange.feed) };
    const goesOn = row.status === 'RUNNING' ? ' The bot goes on trading.' : '';
    return changeBot(parts, tx, row, { set, kind: 'closing', text: `Closing the position at market price.${goesOn}` });
  },

  async pause(tx: Tx, userId: string, id: string): Promise<Bot> {
    const row = await demandBot(tx, userId, id);
    if (row.status !== 'RUNNING') throw new Problem(409, 'bot_not_running', 'Only a running bot can be paused.');
    if (row.pausedBy === 'user') return showBot(parts, tx, row);
    const set = { pausedBy: 'user', pausedReason: 'Paused by you' } as const;
    return changeBot(parts, tx, row, { set, kind: 'paused', text: 'Paused. No new trades; an open position keeps its stop.' });
  },

  async resume(tx: Tx, userId: string, id: string): Promise<Bot> {
    const row = await demandBot(tx, userId, id);
    if (row.pausedBy !== 'user') return showBot(parts, tx, row);
    await demandAccess(parts, tx, userId);
    const { feed } = parts.exchange;
    const pausedReason = guardReason(readGuards(row.guards, feed.now()).guards, feed.now());
    const pausedBy = pausedReason === null ? null : 'guard';
    const text =
      pausedReason === null
        ? 'Resumed. The bot can open new positions after the next closed candle.'
        : `Resumed, but new positions stay paused: ${pausedReason}.`;
    return changeBot(parts, tx, row, { set: { pausedBy, pausedReason, handledCandle: closedCandles(feed) }, kind: 'resumed', text });
  },
});

export type BotStartStop = ReturnType<typeof createBotStartStop>;
