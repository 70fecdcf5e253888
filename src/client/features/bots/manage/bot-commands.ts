import type { UserDb } from '#client/platform/db/user-db.ts';
import { withProof } from '#client/platform/session/re-authentication.ts';
import {
  BOT_LEVERAGE,
  type Bot,
  type BotForm,
  botAnswer,
  botRemovedAnswer,
  type StopMode,
  type UpdateBotBody,
} from '#contract/bots/bot.ts';
import { botCall } from '../bot-call.ts';
import { pathOf, removeBot, storeBot } from '../bot-resources.ts';

interface Owner {
  userId: string;
  db: UserDb;
}

/** Sends a command now, or throws like `send`: nothing that moves money is queued. Stores the bot it returns. */
async function command({ userId, db }: Owner, botId: string, name: string, body?: unknown): Promise<void> {
  const key = crypto.randomUUID();
  const send = () => botCall(`${pathOf(botId)}/${name}`, { userId, as: 'query', method: 'POST', body, key, answer: botAnswer });
  const { data } = await withProof(send);
  await storeBot(db, data);
}

export const startBot = (owner: Owner, { bot_id }: Bot) => command(owner, bot_id, 'start');
export const stopBot = (owner: Owner, { bot_id }: Bot, mode: StopMode) => command(owner, bot_id, 'stop', { mode });
/** Closes the position that the user sees, and no other. */
export const closeNow = (owner: Owner, { bot_id, position }: Bot) =>
  command(owner, bot_id, 'close', position?.id === undefined ? undefined : { position_id: position.id });
export const pauseBot = (owner: Owner, { bot_id }: Bot) => command(owner, bot_id, 'pause');
export const resumeBot = (owner: Owner, { bot_id }: Bot) => command(owner, bot_id, 'resume');

/** Creates a bot. A form sent twice under the same `key` creates one bot. The exchange keys are not stored here. */
export async function createBot({ userId, db }: Owner, form: BotForm & { confirm_live?: string }, key: string): Promise<void> {
  const body = { ...form, leverage: BOT_LEVERAGE };
  const send = () => botCall('/trading-bots', { userId, as: 'header', method: 'POST', body, key, answer: botAnswer });
  const { data } = await withProof(send);
  await storeBot(db, data);
}

/** Changes the given fields of a bot. Exchange keys are not stored here. */
export async function updateBot({ userId, db }: Owner, { bot_id }: Bot, body: UpdateBotBody): Promise<void> {
  const key = crypto.randomUUID();
  const send = () => botCall(pathOf(bot_id), { userId, as: 'query', method: 'PUT', body, key, answer: botAnswer });
  const { data } = await withProof(send);
  await storeBot(db, data);
}

export async function deleteBot({ userId, db }: Owner, { bot_id }: Bot): Promise<void> {
  await withProof(() => botCall(pathOf(bot_id), { userId, as: 'header', method: 'DELETE', answer: botRemovedAnswer }));
  await removeBot(db, bot_id);
}
