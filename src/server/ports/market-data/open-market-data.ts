import type { Clock } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/open.ts';
import { createCoinMarketCap } from './coinmarketcap/coinmarketcap.ts';
import type { BtcFeed } from './demo-btc.ts';
import { createDemoMarket } from './demo-market.ts';
import type { MarketData } from './market-data.ts';
import { createSharedAnswers } from './shared/shared-answers.ts';
import { createSharedTicks } from './shared/shared-ticks.ts';

type MarketConfig = Pick<Config, 'databaseUrl' | 'cmcApiKey' | 'cmcBaseUrl' | 'cmcDailyCredits' | 'marketSeed' | 'marketTickMs'>;

/** Opens CoinMarketCap when CMC_API_KEY is set, or else the demo market. With paper trading, its BTC follows the bots' feed. Processes on one PostgreSQL show the same figures. */
export function openMarketData(
  { cmcApiKey, cmcBaseUrl, cmcDailyCredits, databaseUrl, marketSeed, marketTickMs: tickMs }: MarketConfig,
  { db, clock, budgets, btc }: { db: Db; clock: Clock; budgets: Budgets; btc: BtcFeed | undefined },
): MarketData {
  if (cmcApiKey) {
    const answers = databaseUrl ? createSharedAnswers(db) : undefined;
    const account = { key: cmcApiKey, baseUrl: cmcBaseUrl, budgets, dailyCredits: cmcDailyCredits };
    return createCoinMarketCap({ ...account, clock, tickMs, ...(answers && { answers }) });
  }
  const ticks = databaseUrl ? createSharedTicks({ db, tickMs }) : undefined;
  return createDemoMarket({ clock, seed: marketSeed, tickMs, ...(btc && { btc }), ...(ticks && { ticks }) });
}
