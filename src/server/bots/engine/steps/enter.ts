import { refusedText, skippedText } from '#server/bots/messages/journal.ts';
import { placeOrder } from '#server/bots/orders/place-order.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import type { Signal } from '#server/strategy/signal.ts';
import type { Entering } from '#server/strategy/trader.ts';
import { checkAccount } from './check-account.ts';
import { type Cycle, observeBot } from './cycle.ts';
import { decideNow, skipReason } from './decide.ts';
import { closePosition } from './exit.ts';
import { protectOrClose } from './protect.ts';

/** Acts on a candle's signal: enters, closes or holds. Does nothing if the bot already has an order of this candle. */
export async function actOnSignal(cycle: Cycle, view: Observation, candle: number): Promise<Observation> {
  const { parts, bot, changes } = cycle;
  const signal = await parts.signalOf(candle);
  const placed = await parts.store.candleOrder({ botId: bot.id, candle });
  if (!signal || view.isUnsettled || (placed && placed.state !== 'intended')) return view;
  const decision = await decideNow(signal, view, bot, parts.exchange);
  if (decision.kind === 'close' && view.position) await closePosition(cycle, view.position, { reason: decision.reason, candle });
  else if (decision.kind === 'enter' && bot.status === 'RUNNING' && changes.pausedBy == null && !view.isForeign) {
    if (!(await enter(cycle, view, { signal, decision }))) return view;
  } else return view;
  return protectOrClose(cycle, await observeBot(cycle));
}

/** Places an entry with its stop and target. Returns false if the bot skips the entry. */
async function enter(cycle: Cycle, view: Observation, { signal, decision }: { signal: Signal; decision: Entering }): Promise<boolean> {
  const { parts, bot, orderContext, events } = cycle;
  const candle = signal.candle.time;
  if ((await parts.store.haltReason(bot.userId)) !== null) return false;
  const unfit = await checkAccount(cycle, view);
  const { close: price } = await parts.exchange.feed.forming();
  const skipped = unfit ?? skipReason(signal, decision, price, bot.leverage, parts.exchange);
  if (skipped !== null) {
    events.push({ actor: 'engine', kind: 'passed', text: skippedText(skipped), key: `passed:${candle}`, notify: unfit !== null });
    return false;
  }
  const { side, quantity, stop, target } = decision;
  const direction = side === 'long' ? 'buy' : 'sell';
  const order = await placeOrder(orderContext, { purpose: 'entry', key: String(candle), candle, direction, quantity, stop, target });
  if (order.state === 'rejected')
    events.push({ actor: 'exchange', kind: 'refused', text: refusedText(order.reason), key: `refused:${candle}`, notify: true });
  return true;
}
