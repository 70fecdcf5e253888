import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#domain/clock.ts';
import type { KeySafe } from '#server/bots/keys/key-safe.ts';
import { refusedKey, refusedText } from '#server/bots/messages/journal.ts';
import { type OrderContext, settlePlaced } from '#server/bots/orders/look-up.ts';
import { type Observation, observe } from '#server/bots/positions/reconcile.ts';
import type { AccessOf } from '#server/bots/store/access.ts';
import type { BatchedStore } from '#server/bots/store/batched-store.ts';
import type { BotRow } from '#server/bots/store/bots.ts';
import type { OrderRow } from '#server/bots/store/orders.ts';
import { positionOf } from '#server/bots/store/position.ts';
import type { CycleEvent } from '#server/bots/store/record-cycles.ts';
import type { Db } from '#server/db/open.ts';
import type { Exchange, ExchangeAccount } from '#server/ports/exchange/exchange.ts';
import type { Signal } from '#server/strategy/signal.ts';

export interface CycleParts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  safe: KeySafe;
  accessOf: AccessOf;
  store: BatchedStore;
  /** Returns the signal of the candle that opened at `candle`; undefined without one. */
  signalOf: (candle: number) => Promise<Signal | undefined>;
  /** Waits for some ms; tests skip the wait. */
  sleep?: (ms: number) => Promise<unknown>;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/** One run of one bot. Steps read the bot, act at the exchange, and collect what the end of the cycle records. */
export interface Cycle {
  parts: CycleParts;
  bot: BotRow;
  account: ExchangeAccount;
  orderContext: OrderContext;
  events: CycleEvent[];
  changes: Partial<BotRow>;
}

export function openCycle(parts: CycleParts, bot: BotRow, account: ExchangeAccount): Cycle {
  return { parts, bot, account, orderContext: { store: parts.store, bot, account, open: [] }, events: [], changes: {} };
}

/** Reads the bot's account from the exchange, and records how the orders of this cycle ended. */
export async function observeBot(cycle: Cycle): Promise<Observation> {
  const { parts, bot, account, orderContext } = cycle;
  const view = await observe({ ...parts, bot, account });
  for (const row of await settlePlaced(orderContext, view.fills)) reportRefusal(cycle, row);
  return view;
}

/** Reports an order that the exchange refused. */
export function reportRefusal(
  { bot, events }: Pick<Cycle, 'bot' | 'events'>,
  { state, purpose, reason, candle, clientId }: OrderRow,
): void {
  if (state !== 'rejected') return;
  if (purpose === 'entry') {
    events.push({ actor: 'exchange', kind: 'refused', text: refusedText(reason), key: refusedKey(candle ?? 0), notify: true });
    return;
  }
  const text = 'The exchange refused to close the position. The bot will try again.';
  events.push({ actor: 'exchange', kind: 'refused', text, key: `not-closed:${positionOf(bot)?.entryId ?? clientId}` });
}

/** Only the bot's user can fix this; they read the message. The bot stops with ERROR. */
export class NeedsUser extends Error {}
