import { cancelResting, giveUpUnsent } from '#server/bots/orders/cancel.ts';
import { lookUpOrders } from '#server/bots/orders/look-up.ts';
import { placeOrder } from '#server/bots/orders/place-order.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import type { BotRow } from '#server/bots/store/bots.ts';
import { type Cycle, observeBot, reportRefusal } from './cycle.ts';

type Position = NonNullable<Observation['position']>;

/** Places an order that closes the position. It keeps its id until the exchange has filled or refused it. */
export async function closePosition(
  cycle: Cycle,
  { entryId, side, quantity }: Position,
  { reason, candle }: { reason: string; candle: number | null },
): Promise<void> {
  const { parts, bot, orderContext } = cycle;
  const key = `${entryId}:${await parts.store.failedCloses(bot.id)}`;
  const direction = side === 'long' ? 'sell' : 'buy';
  reportRefusal(cycle, await placeOrder(orderContext, { purpose: 'close', key, candle, direction, quantity, reason }));
}

/** Cancels the bot's orders and closes its position, unless its user keeps it. The bot is STOPPED once the exchange confirms both. */
export async function stopBot(cycle: Cycle, view: Observation): Promise<Observation> {
  const { parts, bot, orderContext, changes, events } = cycle;
  const { store } = parts;
  await cancelResting(orderContext, await store.pendingOrders(bot.id));
  if (view.isUnsettled) return view;
  if (bot.stopMode !== 'keep' && view.position) await closePosition(cycle, view.position, { reason: 'stopped', candle: null });
  const after = await observeBot(cycle);
  const pending = await lookUpOrders(orderContext, await store.pendingOrders(bot.id));
  const hasResting = pending.some(({ state }) => state === 'accepted');
  if (hasResting || after.isUnsettled || (after.position && (bot.stopMode !== 'keep' || after.position.stop === null))) return after;
  for (const row of pending) await giveUpUnsent(orderContext, row);
  changes.status = 'STOPPED';
  Object.assign(changes, { stopMode: null, closing: null, pausedBy: null, pausedReason: null } satisfies Partial<BotRow>);
  const text = after.position ? 'Stopped. The position stays at the exchange, with its stop.' : 'Stopped.';
  events.push({ actor: 'engine', kind: 'stopped', text });
  return after;
}
