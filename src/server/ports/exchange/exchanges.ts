import type { ExchangeName } from '#contract/bots/exchanges.ts';
import { moveBots } from '#server/bots/positions/move-bots.ts';
import type { Config } from '#server/config.ts';
import { defaultInterval } from '#server/settings/default-interval.ts';
import { openBybit } from './bybit/open.ts';
import { isBybitReachable, openBybitMarket } from './bybit/public-market/open-public-market.ts';
import type { Exchange } from './exchange.ts';
import { followPrice } from './live/follow-price.ts';
import { openOkx } from './okx/open.ts';
import type { ExchangeContext, OpenedExchange } from './open-context.ts';
import { openPaper } from './paper/open.ts';

/** Every exchange that bots can trade on: one folder and one line each. */
const OPENERS: Record<ExchangeName, (context: ExchangeContext) => Promise<OpenedExchange>> = {
  paper: openPaper,
  bybit: openBybit,
  okx: openOkx,
};

interface Surroundings extends Pick<ExchangeContext, 'db' | 'clock'> {
  /** Whether this process may change what drives the paper market: not a command beside the server. */
  mayChangeFeed: boolean;
  /** Whether this process shows the market. */
  followsPrice?: boolean;
}

/** Opens the exchange that `EXCHANGE` names. The server starts even if a live exchange is down. */
export async function openExchange(
  config: Config,
  { db, clock, mayChangeFeed, followsPrice = false }: Surroundings,
): Promise<OpenedExchange> {
  const { exchange, referral, paperSpeed, paperFeed } = config;
  const interval = config.strategyInterval ?? (await defaultInterval(db));
  const { kind, testnet, baseUrl, region } = exchange;
  const isAlone = !config.databaseUrl;
  const site = { db, clock, isAlone, testnet, baseUrl, region };
  const report = console.error;
  const publicMarket = {
    isReachable: () => isBybitReachable(site),
    open: () => openBybitMarket({ ...site, interval, report }),
  };
  const opened = await OPENERS[kind]({ ...site, referral, interval, paperSpeed, paperFeed, mayChangeFeed, publicMarket, moveBots, report });
  return followsPrice && !opened.exchange.paper ? withPrice(opened.exchange, report) : opened;
}

/** Adds the price of a real exchange, which is followed until the exchange is closed. */
async function withPrice(exchange: Exchange, report: ExchangeContext['report']): Promise<OpenedExchange> {
  const btc = await followPrice(exchange.feed, report);
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
