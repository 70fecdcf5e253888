import type { Bot, StopMode } from '#contract/bots/bot.ts';
import type { Tx } from '#server/db/open.ts';
import { Problem } from '#server/http/errors.ts';
import { NO_FAILURES } from '../store/bots.ts';
import { haltReason } from '../store/halts.ts';
import { changeBot, demandAccess, demandBot, demandMeasured, type ServiceParts, showBot } from './service-parts.ts';

export const createBotStartStop = (parts: ServiceParts) => ({
  /** Starts a bot. The engine checks its key and account before it trades. */
  async start(tx: Tx, userId: string, id: string): Promise<Bot> {
    const row = await demandBot(tx, userId, id);
    if (row.status === 'RUNNING' || row.status === 'PROVISIONING') return showBot(parts, tx, row);
    if (row.status === 'STOPPING') throw new Problem(409, 'bot_stopping', 'The bot is still stopping. Try again in a moment.');
    await demandAccess(parts, tx, userId);
    demandMeasured(parts.exchange);
    const halted = await haltReason(tx, userId);
    if (halted !== null) throw new Problem(409, 'halted', halted);
    const set = { ...NO_FAILURES, status: 'PROVISIONING', statusReason: null, pausedBy: null, pausedReason: null, stopMode: null } as const;
    return changeBot(parts, tx, row, { set, kind: 'started', text: 'Started.' });
  },

  /** @param stopMode what happens to an open position. */
  async stop(tx: Tx, userId: string, id: string, stopMode: StopMode): Promise<Bot> {
    const row = await demandBot(tx, userId, id);
    const isStopped = row.status === 'STOPPED' && (row.position === null || stopMode === 'keep');
    if (isStopped || (row.status === 'STOPPING' && row.stopMode === stopMode)) return showBot(parts, tx, row);
    const text =
      stopMode === 'close' ? 'Stopping. An open position closes at market price.' : 'Stopping. An open position stays, with its stop.';
    return changeBot(parts, tx, row, { set: { ...NO_FAILURES, status: 'STOPPING', stopMode, statusReason: null }, kind: 'stopping', text });
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
    const set = { pausedBy: null, pausedReason: null };
    return changeBot(parts, tx, row, { set, kind: 'resumed', text: 'Resumed. The bot can open new positions again.' });
  },
});

export type BotStartStop = ReturnType<typeof createBotStartStop>;
