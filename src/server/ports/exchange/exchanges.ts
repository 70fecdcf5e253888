import type { ExchangeName } from '#contract/bots/exchanges.ts';
import type { Config } from '#server/config.ts';
import { defaultInterval } from '#server/settings/default-interval.ts';
import { openBybit } from './bybit/open.ts';
import type { ExchangeContext, OpenedExchange } from './open-context.ts';
import { openPaper } from './paper/open.ts';

/** Every exchange that bots can trade on: one folder and one line each. */
const OPENERS: Record<ExchangeName, (context: ExchangeContext) => Promise<OpenedExchange>> = {
  paper: openPaper,
  bybit: openBybit,
};

/** Opens the exchange that `EXCHANGE` names. Sends no request, so the server starts even if a live exchange is down. */
export async function openExchange(config: Config, { db, clock }: Pick<ExchangeContext, 'db' | 'clock'>): Promise<OpenedExchange> {
  const { exchange, referral, paperSpeed } = config;
  const interval = config.strategyInterval ?? (await defaultInterval(db));
  const { kind, testnet, baseUrl, region } = exchange;
  return OPENERS[kind]({ db, clock, testnet, baseUrl, region, referral, interval, paperSpeed, report: console.error });
}
