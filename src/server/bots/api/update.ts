import { type Bot, MIN_POSITION_SIZE, type UpdateBotBody } from '#contract/bots/bot.ts';
import { spellAmount } from '#domain/bots/bot-amounts.ts';
import type { Tx } from '#server/db/open.ts';
import { badRequest, notFound, Problem } from '#server/http/errors.ts';
import type { KeyFacts, Keys } from '#server/ports/exchange/exchange.ts';
import { otherExchangeReason } from '../messages/money.ts';
import { type BotRow, findBot, NO_FAILURES } from '../store/bots.ts';
import { shiftEquity, sumProfits } from '../store/trades.ts';
import { type CheckedKeys, checkKeys, demandSameAccount, keyColumns } from './api-keys.ts';
import { changeBot, demandBot, type ServiceParts, showBot } from './service-parts.ts';

/** Kind of the journal's entry about another position size or leverage. */
export const RESIZED = 'resized';

/**
 * Returns a bot's equity with another position size, USD: the difference is a deposit or withdrawal, and profits stay. Shifts the
 * equity curve by the difference, so that it shows no gain or loss.
 */
async function resizedEquity(tx: Tx, row: BotRow, size: number): Promise<number> {
  const [profit = 0] = await sumProfits(tx, [{ botId: row.id }]);
  if (size === row.positionSize) return size + profit;
  if (size + profit < MIN_POSITION_SIZE) {
    const least = Math.ceil(MIN_POSITION_SIZE - profit);
    const needed = `Set a position size of ${spellAmount(least)} or more, so that ${spellAmount(MIN_POSITION_SIZE)} remain to trade with.`;
    throw badRequest('position_size', `This bot has lost ${spellAmount(-profit)}. ${needed}`);
  }
  await shiftEquity(tx, row.id, size - row.positionSize);
  return size + profit;
}

/** Returns the columns of a bot with another key. A bot that stopped with an error can be started again. */
async function rekeyedColumns(parts: ServiceParts, tx: Tx, row: BotRow, checked: CheckedKeys) {
  const key = await keyColumns(parts, tx, row.id, checked);
  demandSameAccount(parts, row, checked);
  return { ...key, ...NO_FAILURES, ...(row.status === 'ERROR' && { status: 'STOPPED' as const, statusReason: null }) };
}

export const createBotUpdates = (parts: ServiceParts) => ({
  /** Asks the exchange about another key for a bot, outside of any transaction. Throws what its user can fix. */
  async checkReplacement(userId: string, id: string, keys: Keys): Promise<KeyFacts> {
    const row = await findBot(parts.db, userId, id);
    if (!row) throw notFound();
    const otherExchange = otherExchangeReason(row, parts.exchange);
    if (otherExchange !== null) throw new Problem(409, 'elsewhere', otherExchange);
    return checkKeys(parts, keys, { userId, botId: id, capital: row.positionSize }, 'Failed to update trading bot');
  },

  /** Changes a bot's settings, and its key if `replacement` has a checked one. */
  async update(tx: Tx, userId: string, id: string, body: UpdateBotBody, replacement?: CheckedKeys): Promise<Bot> {
    const row = await demandBot(tx, userId, id);
    const size = body.position_size === undefined ? row.positionSize : Number(body.position_size);
    const leverage = body.leverage ?? row.leverage;
    const hasNewRisk = size !== row.positionSize || leverage !== row.leverage;
    if (hasNewRisk && (row.status !== 'STOPPED' || row.position !== null))
      throw new Problem(409, 'bot_running', 'Stop the bot and close its position first. Then you can change position size and leverage.');
    const money = hasNewRisk && { positionSize: size, leverage, equity: await resizedEquity(tx, row, size), guards: {} };
    const name = body.bot_name ?? row.name;
    const maxDrawdown = body.max_drawdown === undefined ? row.maxDrawdown : Number(body.max_drawdown);
    const key = replacement && (await rekeyedColumns(parts, tx, row, replacement));
    const changes = [
      name !== row.name && `Renamed to ${name}.`,
      maxDrawdown !== row.maxDrawdown && `Stops after a loss of ${maxDrawdown}%.`,
      hasNewRisk && `Trades ${size} USD at ${leverage}×.`,
      key && `API key replaced. The new key ends in ${key.keyHint}.`,
    ].filter((text) => text !== false && text !== undefined);
    if (changes.length === 0) return showBot(parts, tx, row);
    return changeBot(parts, tx, row, {
      set: { name, maxDrawdown, ...money, ...key },
      kind: hasNewRisk ? RESIZED : 'changed',
      text: changes.join(' '),
    });
  },
});
