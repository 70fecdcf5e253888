import type { Clock } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/open.ts';
import { StartupError } from '#server/startup-error.ts';
import { createAutoMarket } from './auto-market.ts';
import { createCoinMarketCap } from './coinmarketcap/coinmarketcap.ts';
import type { BtcFeed } from './demo-btc.ts';
import { createDemoMarket } from './demo-market.ts';
import { createExchangesMarket } from './exchanges/exchanges-market.ts';
import type { MarketData } from './market-data.ts';
import type { Answers } from './shared/answers.ts';
import { createKeptAnswers } from './shared/kept-answers.ts';
import { createSharedAnswers } from './shared/shared-answers.ts';
import { createSharedTicks } from './shared/shared-ticks.ts';

type MarketConfig = Pick<
  Config,
  'databaseUrl' | 'market' | 'cmcApiKey' | 'cmcBaseUrl' | 'cmcDailyCredits' | 'exchangesBaseUrls' | 'marketSeed' | 'marketTickMs'
>;

interface Surroundings {
  db: Db;
  clock: Clock;
  budgets: Budgets;
  /** The bots' prices, with paper trading. */
  btc: BtcFeed | undefined;
  /** How long an answer waits for further exchanges, ms; tests on a busy machine wait for all. */
  wait?: number;
}

/** Opens the market that `MARKET` names. With paper trading, its BTC follows the bots' feed. Processes on one PostgreSQL show the same figures. */
export function openMarketData(config: MarketConfig, surroundings: Surroundings): MarketData {
  const kind = config.market === 'auto' && config.cmcApiKey ? 'coinmarketcap' : config.market;
  if (kind === 'coinmarketcap') return openCoinMarketCap(config, surroundings);
  if (kind === 'exchanges') return openExchanges(config, surroundings);
  if (kind === 'demo') return openDemo(config, surroundings);
  return createAutoMarket({ demo: openDemo(config, surroundings), exchanges: openExchanges(config, surroundings) });
}

const answersOf = ({ databaseUrl }: MarketConfig, db: Db, clock: Clock): Answers =>
  databaseUrl ? createSharedAnswers(db) : createKeptAnswers(db, clock);

function openCoinMarketCap(config: MarketConfig, { db, clock, budgets }: Surroundings): MarketData {
  const { cmcApiKey: key, cmcBaseUrl: baseUrl, cmcDailyCredits: dailyCredits, marketTickMs: tickMs } = config;
  if (!key) throw new StartupError('CMC_API_KEY: is needed for MARKET=coinmarketcap.');
  return createCoinMarketCap({ key, baseUrl, budgets, dailyCredits, clock, tickMs, answers: answersOf(config, db, clock) });
}

function openExchanges(config: MarketConfig, { db, clock, budgets, btc, wait }: Surroundings): MarketData {
  const { exchangesBaseUrls: urls, marketTickMs: tickMs } = config;
  return createExchangesMarket({ clock, budgets, tickMs, urls, btc, wait, answers: answersOf(config, db, clock) });
}

function openDemo({ databaseUrl, marketSeed: seed, marketTickMs: tickMs }: MarketConfig, { db, clock, btc }: Surroundings): MarketData {
  const ticks = databaseUrl ? createSharedTicks({ db, tickMs }) : undefined;
  return createDemoMarket({ clock, seed, tickMs, ...(btc && { btc }), ...(ticks && { ticks }) });
}
