import { usd } from '#server/bots/messages/journal.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { type Cycle, observeBot } from './cycle.ts';
import { closePosition } from './exit.ts';

/** Sets the missing stop of the open position again, or closes the position. */
export async function protectOrClose(cycle: Cycle, view: Observation): Promise<Observation> {
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
