import { unsafeText, usd } from '#server/bots/messages/journal.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { stopIsSafe } from '#server/strategy/sizing.ts';
import { type Cycle, observeBot } from './cycle.ts';
import { closePosition } from './exit.ts';

/** Makes sure that the open position has a stop that triggers before liquidation, or closes it. */
export const protectOrClose = async (cycle: Cycle, view: Observation): Promise<Observation> =>
  closeUnsafe(cycle, await restoreStop(cycle, view));

/** Closes a position that the exchange would liquidate before its stop. Its owner may have changed leverage or margin mode. */
async function closeUnsafe(cycle: Cycle, view: Observation): Promise<Observation> {
  const { bot, events } = cycle;
  const { position } = view;
  // After a stop that keeps the position, its leverage is its owner's choice.
  if (!position || position.stop === null || bot.status === 'STOPPED' || view.isUnsettled) return view;
  const { entryId, stop, liquidationPrice } = position;
  if (stopIsSafe({ ...position, stop })) return view;
  await closePosition(cycle, position, { reason: 'unsafe', candle: null });
  events.push({ actor: 'engine', kind: 'unsafe', text: unsafeText(liquidationPrice, stop), key: `unsafe:${entryId}`, notify: true });
  return observeBot(cycle);
}

/** Sets the missing stop of the open position again, or closes the position. */
async function restoreStop(cycle: Cycle, view: Observation): Promise<Observation> {
  const { parts, bot, account, events } = cycle;
  const { position } = view;
  if (!position || position.stop !== null || view.held?.side !== position.side) return view;
  const [entry] = await parts.store.orders({ botId: bot.id, clientIds: [position.entryId] });
  try {
    if (entry?.stop == null) throw new ExchangeError('rejected', 'no stop is known');
    await account.protect(entry.stop, entry.target);
    const text = `The position had no stop. The bot set it again at ${usd(entry.stop)}.`;
    events.push({ actor: 'engine', kind: 'protected', text, notify: true });
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    await closePosition(cycle, position, { reason: 'unprotected', candle: null });
    const text = 'The exchange accepted no stop for the position, so the bot closes it at market price.';
    events.push({ actor: 'engine', kind: 'unprotected', text, notify: true });
  }
  return observeBot(cycle);
}
