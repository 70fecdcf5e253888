import type { BotComparison } from '#contract/bots/bot-comparison.ts';
import { type Clock, DAY, SECOND } from '#domain/clock.ts';
import { BacktestFailed, type BacktestRunner } from '#server/backtests/backtest-runner.ts';
import { NothingToTrade } from '#server/backtests/run-request.ts';
import { otherExchangeReason } from '#server/bots/messages/money.ts';
import { type BotRow, findBot } from '#server/bots/store/bots.ts';
import { countTrades } from '#server/bots/store/trade-history.ts';
import type { Db } from '#server/db/open.ts';
import { notFound, Problem, unavailable } from '#server/http/errors.ts';
import { type Exchange, ExchangeError } from '#server/ports/exchange/exchange.ts';
import { createRecentMap } from '#server/recent-map.ts';
import { createFairSlots } from '#server/slots.ts';
import { DeadlineExceeded, withDeadline } from '#server/with-deadline.ts';
import { compareBot } from './compare-bot.ts';
import { planComparison } from './plan-comparison.ts';

/** Comparisons that run at once, and those of one user that wait. */
const RUNNING = 8;
const WAITING = 3;
/** How long a comparison may take, ms. Clients wait a little longer. */
const LIMIT = 15 * SECOND;
/** Comparisons that stay in memory, over all users. */
const MAX_KEPT = 200;

interface Parts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  runner: BacktestRunner;
  /** Time limit, ms; tests shorten it. */
  limit?: number;
}

export type Comparisons = ReturnType<typeof createComparisons>;

/** Creates the comparison of bots with backtests of the same days. One runs per user; it is kept until a trade closes or the day ends. */
export function createComparisons({ db, clock, exchange, runner, limit = LIMIT }: Parts) {
  const inSlot = createFairSlots({ size: RUNNING, each: 1, queue: WAITING });
  /** By bot. */
  const kept = createRecentMap<string, { version: string; comparison: BotComparison }>(MAX_KEPT);

  async function demandRow(userId: string, botId: string): Promise<BotRow> {
    const bot = await findBot(db, userId, botId);
    if (!bot) throw notFound();
    const otherExchange = otherExchangeReason(bot, exchange);
    if (otherExchange !== null) throw new Problem(409, 'elsewhere', otherExchange);
    return bot;
  }

  /** Names what a comparison depends on. The backtest may trade without the bot, so a day ends it too. */
  async function versionOf({ id, userId, positionSize, leverage, maxDrawdown }: BotRow): Promise<string> {
    const { epoch, now } = exchange.feed;
    const day = Math.floor(now() / DAY);
    return [await countTrades(db, { userId, botId: id }), positionSize, leverage, maxDrawdown, epoch, day].join(' ');
  }

  async function compute(userId: string, botId: string, signal: AbortSignal): Promise<BotComparison> {
    const bot = await demandRow(userId, botId);
    const version = await versionOf(bot);
    const known = kept.get(botId);
    if (known?.version === version) return known.comparison;
    const plan = await planComparison({ db, clock, exchange }, bot);
    const result = await runner.run(plan.request, { signal, isAwaited: true });
    // The user may have deleted the bot meanwhile.
    const comparison = await compareBot(db, await demandRow(userId, botId), plan, result);
    kept.set(botId, { version, comparison });
    return comparison;
  }

  return {
    /**
     * Compares a user's bot with a backtest of the same days.
     * @param dropped aborts when the client no longer waits for the answer
     * @throws Problem 404, 409 without days to compare, or 503
     */
    async compare(userId: string, botId: string, dropped: AbortSignal): Promise<BotComparison> {
      try {
        return await inSlot(userId, () => withDeadline(limit, dropped, (signal) => compute(userId, botId, signal)));
      } catch (error) {
        if (error instanceof NothingToTrade) throw new Problem(409, 'nothing_to_compare', error.message);
        if (error instanceof ExchangeError)
          throw unavailable('market_unavailable', 'The exchange sends no candles right now. Try again in a moment.');
        if (error instanceof DeadlineExceeded || error instanceof BacktestFailed)
          throw unavailable('comparison_failed', 'The backtest took too long. Other backtests may be running. Try again in a minute.');
        throw error;
      }
    },
  };
}
