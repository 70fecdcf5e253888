import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { type Cycle, NeedsUser } from './cycle.ts';

/** Sets a new bot's account to isolated margin, one-way mode and its leverage. */
export async function prepareAccount({ bot, account, changes, events }: Cycle): Promise<void> {
  await account.prepare(bot.leverage).catch((error: unknown) => {
    if (!(error instanceof ExchangeError) || (error.trouble !== 'rejected' && error.trouble !== 'funds')) throw error;
    throw new NeedsUser(`The exchange did not accept the bot's settings. ${error.message}`);
  });
  changes.status = 'RUNNING';
  const text = `Ready: isolated margin at ${bot.leverage}×. The bot trades when the strategy finds an entry.`;
  events.push({ actor: 'engine', kind: 'running', text });
}
