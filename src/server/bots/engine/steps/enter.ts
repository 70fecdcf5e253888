import { skippedKey, skippedText } from '#server/bots/messages/journal.ts';
import { placeOrder } from '#server/bots/orders/place-order.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';
import type { Signal } from '#server/strategy/signal.ts';
import type { Entering } from '#server/strategy/trader.ts';
import { checkAccount } from './check-account.ts';
import { type Cycle, observeBot, reportRefusal } from './cycle.ts';
import { decideNow, skipReason } from './decide.ts';
import { closePosition } from './exit.ts';
import { protectOrClose } from './protect.ts';

/** Acts on a candle's signal: enters, closes or holds. Does nothing if the bot already has an order of this candle. */
export async function actOnSignal(cycle: Cycle, view: Observation, candle: number): Promise<Observation> {
  const { parts, bot } = cycle;
  const signal = await parts.signalOf(candle);
  const placed = await parts.store.candleOrder({ botId: bot.id, candle });
  if (!signal || view.isUnsettled || (placed && placed.state !== 'intended')) return view;
  const decision = await decideNow(signal, view, bot, parts.exchange);
  if (decision.kind === 'close' && view.position) await closePosition(cycle, view.position, { reason: decision.reason, candle });
  else {
    const blocked = decision.kind === 'enter' ? entriesBlockedBy(cycle, view) : decision.kind === 'hold' && decision.why;
    // In a position, or without an entry of the strategy, there is nothing to skip.
    if (blocked && signal.entry && !view.position) skip(cycle, candle, blocked);
    if (blocked || decision.kind !== 'enter' || !(await enter(cycle, view, { signal, decision }))) return view;
  }
  return protectOrClose(cycle, await observeBot(cycle));
}

/** Returns why the bot must not enter; null if it may. */
function entriesBlockedBy({ bot, changes }: Cycle, { isForeign }: Observation): string | null {
  if (bot.status !== 'RUNNING') return 'the bot is in ERROR';
  if (changes.pausedReason != null) return changes.pausedReason;
  return isForeign ? 'the account has a position that this bot did not open' : null;
}

/** Tells the user once that the bot skips a candle's entry. */
function skip({ events }: Cycle, candle: number, why: string, notify = false): void {
  events.push({ actor: 'engine', kind: 'passed', text: skippedText(why), key: skippedKey(candle), notify });
}

/** Places an entry with its stop and target. Returns false if the bot skips the entry. */
async function enter(cycle: Cycle, view: Observation, { signal, decision }: { signal: Signal; decision: Entering }): Promise<boolean> {
  const { parts, bot, orderContext } = cycle;
  const candle = signal.candle.time;
  const halted = await parts.store.haltReason(bot.userId);
  if (halted !== null) {
    skip(cycle, candle, halted);
    return false;
  }
  const unfit = await checkAccount(cycle, view);
  const { close: price } = await parts.exchange.feed.forming();
  const skipped = unfit ?? (await skipReason(signal, decision, price, bot.leverage, parts.exchange));
  if (skipped !== null) {
    skip(cycle, candle, skipped, unfit !== null);
    return false;
  }
  const { side, quantity, stop, target } = decision;
  const direction = side === 'long' ? 'buy' : 'sell';
  const key = candleKey(parts.exchange.feed, candle);
  reportRefusal(cycle, await placeOrder(orderContext, { purpose: 'entry', key, candle, direction, quantity, stop, target }));
  return true;
}

/** Returns the key of a candle. Two feeds of the paper market may have candles with the same time. */
const candleKey = ({ epoch = 1 }: CandleFeed, candle: number): string => (epoch === 1 ? String(candle) : `${epoch}:${candle}`);
