import { REJECTS } from './codes.ts';
import { type Account, executeOrder } from './execution.ts';
import { settle, slipped } from './fire.ts';
import { affords, against } from './funds.ts';
import { protects, understand, unfilled } from './orders.ts';
import type { BookOrder, BookStep, OrderResult } from './types.ts';

/** Fills an order, rests it, or refuses it. */
export function submitOrder(account: Account, order: BookOrder, price: number, at: number): BookStep & { order: OrderResult } {
  const { state, units } = account;
  const step: BookStep = { fills: [], orders: [] };
  const refused = (reject: number) => ({ ...step, order: unfilled(order.clientId, 'rejected', reject) });
  const market = units.nearestTick(price);
  state.touchedAt = at;
  settle(account, step, market, at);

  if (state.orders.some(({ clientId }) => clientId === order.clientId)) return refused(REJECTS.duplicate);
  const understood = understand(order, units);
  if (typeof understood === 'number') return refused(understood);
  const { intent, level } = understood;
  if (intent.reduceOnly && !against(state, intent.direction)) return refused(REJECTS.reduceOnly);

  const buys = intent.direction === 'buy';
  const limit = order.type === 'limit';
  const taken = level === null || (limit && (buys ? level >= market : level <= market));
  const worse = slipped(state, intent.direction, market);
  // A limit also bounds the price of an order that fills at once.
  const tick = level === null ? worse : taken ? (buys ? Math.min(worse, level) : Math.max(worse, level)) : level;
  const fee = taken ? state.rules.takerFee : state.rules.makerFee;
  if (!protects(intent, tick)) return refused(REJECTS.parameter);
  const triggers = level !== null && !limit;
  if (triggers && (buys ? tick <= market : tick >= market)) return refused(buys ? REJECTS.triggerBelow : REJECTS.triggerAbove);
  // Funds of a trigger order are checked when it triggers.
  if (!triggers && !affords(state, intent, { tick, fee })) return refused(REJECTS.funds);

  if (taken) return { ...step, order: executeOrder(account, step, intent, { tick, fee, at }) };
  state.orders.push({ ...intent, type: limit ? 'limit' : 'stop-market', level: tick });
  return { ...step, order: unfilled(order.clientId, 'open') };
}
