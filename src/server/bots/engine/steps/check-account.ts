import { shortMoneyText } from '#server/bots/messages/journal.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { type Cycle, NeedsUser } from './cycle.ts';

/** Smallest part of the bot's own money that the account must hold for an entry: fees of other trades may have cost the rest. */
const LEAST_HELD = 0.95;

/** Sets isolated margin, one-way mode and the leverage. Returns why the exchange refuses; null if they are set. */
async function applySettings({ bot, account }: Cycle): Promise<string | null> {
  try {
    await account.prepare(bot.leverage);
    return null;
  } catch (error) {
    if (!(error instanceof ExchangeError) || (error.trouble !== 'rejected' && error.trouble !== 'funds')) throw error;
    return `The exchange did not accept the bot's settings. ${error.message}`;
  }
}

/** Sets a new bot's account to isolated margin, one-way mode and its leverage. */
export async function prepareAccount(cycle: Cycle): Promise<void> {
  const { bot, changes, events } = cycle;
  const refusal = await applySettings(cycle);
  if (refusal !== null) throw new NeedsUser(refusal);
  changes.status = 'RUNNING';
  const text = `Ready: isolated margin at ${bot.leverage}×. The bot trades when the strategy finds an entry.`;
  events.push({ actor: 'engine', kind: 'running', text });
}

/**
 * Checks money, position and settings of the account right before an entry, because its owner may have changed them. Restores the
 * settings. Returns why the bot must not enter; null if it may.
 */
export async function checkAccount(cycle: Cycle, { equity: needed }: Observation): Promise<string | null> {
  const { equity, position, leverage, isIsolated, isOneWay } = await cycle.account.standing();
  if (position) return 'the account already has a position';
  if (equity < needed * LEAST_HELD) return shortMoneyText(equity, needed);
  return isIsolated && isOneWay && leverage === cycle.bot.leverage ? null : applySettings(cycle);
}
