import type { Clock } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import type { Config } from '#server/config.ts';
import { createCoinMarketCap } from './coinmarketcap/coinmarketcap.ts';
import type { BtcFeed } from './demo-btc.ts';
import { createDemoMarket } from './demo-market.ts';
import type { MarketData } from './market-data.ts';

type MarketConfig = Pick<Config, 'cmcApiKey' | 'cmcBaseUrl' | 'cmcDailyCredits' | 'marketSeed' | 'marketTickMs'>;

/** Opens CoinMarketCap when CMC_API_KEY is set, or else the demo market. With paper trading, its BTC follows the bots' feed. */
export function openMarketData(
  { cmcApiKey, cmcBaseUrl, cmcDailyCredits, marketSeed, marketTickMs }: MarketConfig,
  { clock, budgets, btc }: { clock: Clock; budgets: Budgets; btc: BtcFeed | undefined },
): MarketData {
  return cmcApiKey
    ? createCoinMarketCap({ key: cmcApiKey, baseUrl: cmcBaseUrl, budgets, dailyCredits: cmcDailyCredits, clock, tickMs: marketTickMs })
    : createDemoMarket({ clock, seed: marketSeed, tickMs: marketTickMs, ...(btc && { btc }) });
}
