import type { Bot } from '#contract/bots/bot.ts';
import { intervalName } from '#domain/bots/intervals.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { livePricesOf } from '#server/ports/exchange/live-prices.ts';
import { isPlayMoney, otherExchangeReason } from '../messages/money.ts';
import type { BotRow } from '../store/bots.ts';
import { positionOf, priceAt, unrealisedAt } from '../store/position.ts';

export interface Surroundings {
  exchange: Pick<Exchange, 'kind' | 'paper' | 'feed'>;
  /** USD; null if unknown: the position then has the price at which the bot last saw it. */
  markPrice: number | null;
  /** Why an operator halts this user's bots; null if none does. */
  halted: string | null;
}

const STRATEGY = 'Trend following that enters at levels';

/** Returns a bot as the contract has it, its position at the current price. A bot of another exchange keeps its last known price. */
export function toBot(row: BotRow, { exchange, markPrice, halted }: Surroundings): Bot {
  const position = positionOf(row);
  const isHere = otherExchangeReason(row, exchange) === null;
  const price = (isHere ? markPrice : null) ?? (position ? priceAt(position) : 0);
  const unrealised = position ? unrealisedAt(position, price) : 0;
  return {
    bot_id: row.id,
    bot_name: row.name,
    user_id: row.userId,
    status: row.status,
    status_reason: row.statusReason,
    paused_reason: (row.status === 'RUNNING' ? row.pausedReason : null) ?? halted,
    stop_mode: row.stopMode,
    closing: row.closing !== null,
    position_size: row.positionSize,
    leverage: row.leverage,
    max_drawdown: row.maxDrawdown,
    created_at: row.createdAt.toISOString(),
    config: {
      asset: 'BTC',
      strategy: STRATEGY,
      interval: intervalName(exchange.feed.interval),
      exchange: row.exchange,
      paper: isPlayMoney(row),
      speed: isHere ? exchange.feed.speed : null,
      replay: (isHere && exchange.feed.replay?.()) || null,
      live: isHere ? livePricesOf(exchange.feed) : null,
      custom_settings: { api_key: '', secret_key: '' },
    },
    key_hint: row.keyHint,
    key_expires_at: row.keyExpiresAt?.toISOString() ?? null,
    taker_fee: row.takerFee,
    equity: position ? row.equity - position.unrealised + unrealised : row.equity,
    position: position && {
      id: position.entryId,
      side: position.side,
      quantity: position.quantity,
      entry_price: position.entryPrice,
      mark_price: price,
      stop_price: position.stop,
      target_price: position.target,
      liquidation_price: position.liquidationPrice,
      unrealised_pnl: unrealised,
      opened_at: new Date(position.openedClock).toISOString(),
    },
    last_exchange_at: row.lastExchangeAt?.toISOString() ?? null,
  };
}
