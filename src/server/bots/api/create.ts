import { randomUUID } from 'node:crypto';
import { type Bot, type CreateBotBody, DEFAULT_MAX_DRAWDOWN, LIVE_WORD, MAX_BOTS } from '#contract/bots/bot.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/open.ts';
import { badRequest, Problem } from '#server/http/errors.ts';
import type { KeyFacts } from '#server/ports/exchange/exchange.ts';
import { moneyOfBot } from '../messages/money.ts';
import { findBots, insertBot } from '../store/bots.ts';
import { addEvent } from '../store/events.ts';
import { checkKeys, demandFreeAccount, keyColumns, keysIn } from './api-keys.ts';
import { demandAccess, demandMeasured, type ServiceParts, showBot } from './service-parts.ts';

const MONEY_WORDS = { paper: ' of paper money', testnet: ' of test money', live: ' of real money' };

export const createBotCreation = (parts: ServiceParts) => ({
  /** Asks the exchange about a new bot's key, outside of any transaction. Throws what its user can fix. */
  async checkNew(userId: string, body: CreateBotBody): Promise<KeyFacts> {
    const { db, exchange } = parts;
    await demandAccess(parts, db, userId);
    const asset = body.config?.asset;
    if (asset !== undefined && !/^BTC(USDT|USD)?$/i.test(asset)) throw badRequest('asset', 'Bots trade BTC only.');
    if (!exchange.paper && body.confirm_live !== LIVE_WORD)
      throw badRequest('confirm_live', `This bot trades real money. Type ${LIVE_WORD} to confirm.`);
    demandMeasured(exchange);
    const owner = { userId, botId: randomUUID(), capital: Number(body.position_size) };
    return checkKeys(parts, keysIn(body), owner, 'Failed to create trading bot');
  },

  async create(tx: Tx, userId: string, body: CreateBotBody, facts: KeyFacts): Promise<Bot> {
    const { clock, exchange, testnet } = parts;
    await lockUser(tx, userId);
    if ((await findBots(tx, userId)).length >= MAX_BOTS)
      throw new Problem(409, 'too_many_bots', `You can have ${MAX_BOTS} trading bots. Delete one first.`);
    const id = randomUUID();
    const checked = { keys: keysIn(body), facts };
    const key = await keyColumns(parts, tx, id, checked);
    await demandFreeAccount(parts, tx, checked);
    const now = clock();
    const row = await insertBot(tx, {
      id,
      userId,
      name: body.bot_name,
      status: 'PROVISIONING',
      positionSize: Number(body.position_size),
      leverage: body.leverage,
      maxDrawdown: Number(body.max_drawdown ?? DEFAULT_MAX_DRAWDOWN),
      exchange: exchange.kind,
      testnet,
      ...key,
      equity: Number(body.position_size),
      lastExchangeAt: new Date(now),
      fillsSeenTo: exchange.feed.now(),
      createdAt: new Date(now),
    });
    const text = `Created with ${row.positionSize} USD${MONEY_WORDS[moneyOfBot(row)]} at ${row.leverage}×.`;
    await addEvent(tx, id, { actor: 'user', kind: 'created', text }, now);
    return showBot(parts, tx, row);
  },
});
