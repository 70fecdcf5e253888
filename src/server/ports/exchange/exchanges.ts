import type { ExchangeName } from '#contract/bots/exchange-names.ts';
import { moveBots } from '#server/bots/positions/move-bots.ts';
import type { Config } from '#server/config.ts';
import { defaultInterval } from '#server/settings/default-interval.ts';
import { openBybit } from './bybit/open.ts';
import { isBybitReachable, openBybitMarket } from './bybit/public-market/open-public-market.ts';
import type { Exchange } from './exchange.ts';
import { followPrice } from './live/follow-price.ts';
import type { PriceTiming } from './live/repeat-check.ts';
import { openOkx } from './okx/open.ts';
import type { ExchangeContext, OpenedExchange } from './open-context.ts';
import { openPaper } from './paper/open.ts';

/** Every exchange that bots can trade on: one folder and one line each. */
const OPENERS: Record<ExchangeName, (context: ExchangeContext) => Promise<OpenedExchange>> = {
  paper: openPaper,
  bybit: openBybit,
  okx: openOkx,
};

interface Surroundings extends Pick<ExchangeContext, 'db' | 'clock'>, Partial<Pick<ExchangeContext, 'report'>> {
  /** Whether this process may change what drives the paper market: not a command beside the server. */
  mayChangeFeed: boolean;
  /** Whether this process shows the market. */
  followsPrice?: boolean;
  timing?: PriceTiming;
}

/** Opens the exchange that `EXCHANGE` names. The server starts even if a live exchange is down. */
export async function openExchange(
  config: Config,
  { db, clock, mayChangeFeed, followsPrice = false, timing = {}, report = console.error }: Surroundings,
): Promise<OpenedExchange> {
  const { exchange, referral, paperSpeed, paperFeed } = config;
  const interval = config.strategyInterval ?? (await defaultInterval(db));
  const { kind, testnet, baseUrl, region } = exchange;
  const isAlone = !config.databaseUrl;
  const site = { db, clock, isAlone, testnet, baseUrl, region };
  const publicMarket = {
    isReachable: () => isBybitReachable(site, timing.reach),
    open: () => openBybitMarket({ ...site, interval, report }),
  };
  const paper = { paperSpeed, paperFeed, mayChangeFeed, publicMarket, moveBots, timing };
  const opened = await OPENERS[kind]({ ...site, ...paper, referral, interval, report });
  return followsPrice && !opened.exchange.paper ? withPrice(opened.exchange, { report, timing }) : opened;
}

/** Adds the price of a real exchange, which is followed until the exchange is closed. */
async function withPrice(exchange: Exchange, { report, timing }: Pick<ExchangeContext, 'report' | 'timing'>): Promise<OpenedExchange> {
  const btc = await followPrice(exchange.feed, report, timing);
  return {
    btc,
    exchange: {
      ...exchange,
      async close() {
        btc.close();
        await exchange.close();
      },
    },
  };
}
