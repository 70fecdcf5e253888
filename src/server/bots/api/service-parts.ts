import type { Bot } from '#contract/bots/bot.ts';
import { figuresOf, unmeasuredMessage } from '#domain/bots/backtest-figures.ts';
import { intervalName } from '#domain/bots/intervals.ts';
import type { Clock } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { forbidden, notFound, Problem } from '#server/http/errors.ts';
import { type Exchange, ExchangeError } from '#server/ports/exchange/exchange.ts';
import type { KeySafe } from '../keys/key-safe.ts';
import type { AccessOf } from '../store/access.ts';
import { type BotRow, lockBot, updateBot } from '../store/bots.ts';
import { addEvent } from '../store/events.ts';
import { haltReason } from '../store/halts.ts';
import { toBot } from './to-bot.ts';

export interface ServiceParts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  testnet: boolean;
  safe: KeySafe;
  accessOf: AccessOf;
  /** Runs one cycle of a bot at once; false if another process holds the bot. */
  runBotCycle: (botId: string) => Promise<boolean>;
  /** Makes the engine look for work at once. */
  wake: () => void;
}

/** Returns the market price in USD; null if the market is unreachable, so that bots stay visible. */
async function findPrice({ exchange }: ServiceParts): Promise<number | null> {
  try {
    return (await exchange.feed.forming()).close;
  } catch (error) {
    if (error instanceof ExchangeError) return null;
    throw error;
  }
}

/** Returns bots of one user as the contract has them. */
export async function showBots(parts: ServiceParts, from: Db, userId: string, rows: readonly BotRow[]): Promise<Bot[]> {
  const [markPrice, halted] = await Promise.all([findPrice(parts), haltReason(from, userId)]);
  return rows.map((row) => toBot(row, { exchange: parts.exchange, markPrice, halted }));
}

export const showBot = async (parts: ServiceParts, from: Db, row: BotRow): Promise<Bot> =>
  (await showBots(parts, from, row.userId, [row]))[0] as Bot;

/** Locks a user's bot until the transaction ends. Throws 404 if there is none. */
export async function demandBot(tx: Tx, userId: string, id: string): Promise<BotRow> {
  const row = await lockBot(tx, userId, id);
  if (!row) throw notFound();
  return row;
}

/** Throws 403 if the user's plan or account age does not allow bots. */
export async function demandAccess({ accessOf }: ServiceParts, from: Db, userId: string): Promise<void> {
  const access = await accessOf(from, userId);
  if (!access.allowed) throw forbidden('no_access', access.message);
}

/** Throws 409 if bots would trade real money on candles whose results no backtest has measured. */
export function demandMeasured({ paper, feed }: Exchange): void {
  const interval = intervalName(feed.interval);
  if (!paper && !figuresOf(interval)) throw new Problem(409, 'interval_unmeasured', unmeasuredMessage(interval));
}

/** A change of a bot and its entry in the journal. */
interface Change {
  set: Partial<BotRow>;
  kind: string;
  text: string;
}

/** Changes a bot for its user and reports it in the journal. */
export async function changeBot(parts: ServiceParts, tx: Tx, row: BotRow, { set, kind, text }: Change): Promise<Bot> {
  await addEvent(tx, row.id, { actor: 'user', kind, text }, parts.clock());
  return showBot(parts, tx, await updateBot(tx, row.id, set));
}
