import type { BotChart, ChartTrade } from '#contract/bots/bot-chart.ts';
import { roundToCents } from '#domain/bots/bot-amounts.ts';
import { otherExchangeReason } from '#server/bots/messages/money.ts';
import { findBot } from '#server/bots/store/bots.ts';
import { findPricesBegan } from '#server/bots/store/feed-clock.ts';
import { findTradesSince } from '#server/bots/store/trade-history.ts';
import type { TradeRow } from '#server/bots/store/trades.ts';
import type { Db } from '#server/db/open.ts';
import { notFound, unavailable } from '#server/http/errors.ts';
import { watchOf } from '#server/modules/indicator/service.ts';
import { type Exchange, ExchangeError } from '#server/ports/exchange/exchange.ts';

/** Trades on one chart. */
const MAX_TRADES = 200;

function toChartTrade({ id, side, entryPrice, exitPrice, pnl, reason, feedOpened, feedClosed }: TradeRow): ChartTrade {
  const closed =
    feedClosed === null ? null : { at: feedClosed, price: exitPrice ?? entryPrice, pnl: roundToCents(pnl), reason: reason ?? '' };
  return { id, side, entry_price: entryPrice, opened: feedOpened ?? 0, closed };
}

/** Creates the read of a bot's chart. The candles and levels are computed once per closed candle for all bots and the indicator. */
export function createBotChart({ db, exchange }: { db: Db; exchange: Exchange }) {
  const { feed } = exchange;
  const watch = watchOf(feed, feed.interval);

  return {
    async chart(userId: string, botId: string): Promise<BotChart> {
      const bot = await findBot(db, userId, botId);
      if (!bot) throw notFound();
      const { interval } = feed;
      if (otherExchangeReason(bot, exchange) !== null) return { interval, candles: [], levels: [], trades: [], prices_began: null };
      const { open, closed, seen } = await watch().catch((error: unknown) => {
        if (!(error instanceof ExchangeError)) throw error;
        throw unavailable('market_unavailable', 'The exchange sends no prices right now. Try again in a moment.');
      });
      const candles = [...closed, open];
      const began = await findPricesBegan(db, feed);
      const trades = await findTradesSince(db, { userId, botId }, { since: candles[0]?.time ?? open.time, began, limit: MAX_TRADES });
      return { interval, candles, levels: seen.levels, trades: trades.map(toChartTrade), prices_began: began };
    },
  };
}
