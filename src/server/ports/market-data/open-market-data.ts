import type { Clock } from '../../../domain/clock';
import type { Budgets } from '../../budgets';
import type { Config } from '../../config';
import { createCoinMarketCap } from './coinmarketcap/coinmarketcap';
import type { BtcFeed } from './demo-btc';
import { createDemoMarket } from './demo-market';
import type { MarketData } from './market-data';

type MarketConfig = Pick<Config, 'cmcApiKey' | 'cmcBaseUrl' | 'cmcDailyCredits' | 'marketSeed' | 'marketTickMs'>;

/** CoinMarketCap where CMC_API_KEY says so, else the demo market, whose BTC is the one that bots trade on paper if they do. */
export function openMarketData(
  { cmcApiKey, cmcBaseUrl, cmcDailyCredits, marketSeed, marketTickMs }: MarketConfig,
  { clock, budgets, btc }: { clock: Clock; budgets: Budgets; btc: BtcFeed | undefined },
): MarketData {
  return cmcApiKey
    ? createCoinMarketCap({ key: cmcApiKey, baseUrl: cmcBaseUrl, budgets, dailyCredits: cmcDailyCredits, clock, tickMs: marketTickMs })
    : createDemoMarket({ clock, seed: marketSeed, tickMs: marketTickMs, ...(btc && { btc }) });
}
