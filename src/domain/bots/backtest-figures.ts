import type { Performance } from '#contract/bots/bot.ts';

/**
 * Results of the strategy on real candles with fees, slippage and funding, starting with 1,000 USD at up to 15×. Fractions. `npm run
 * backtest` computes them; a test repeats it where the data is available.
 */
export const BACKTEST: Performance & { name: string } = {
  name: 'Binance BTC/USDT perpetual, hourly candles',
  from: '2019-09-08T17:00:00.000Z',
  to: '2026-05-17T07:00:00.000Z',
  trades: 385,
  total_return: 5.6428,
  annual_return: 0.3273,
  max_drawdown: 0.1853,
  win_rate: 0.2675,
  profit_factor: 1.37,
};

/** The part after the data that the strategy's parameters were fitted on. */
export const BACKTEST_UNSEEN: Performance = {
  from: '2023-01-01T00:00:00.000Z',
  to: '2026-05-17T07:00:00.000Z',
  trades: 204,
  total_return: 0.8114,
  annual_return: 0.1926,
  max_drawdown: 0.1813,
  win_rate: 0.2451,
  profit_factor: 1.27,
};

/** Bitcoin bought on the first day of `BACKTEST` and of `BACKTEST_UNSEEN`, and held. */
export const HELD = { annual_return: 0.3596, max_drawdown: 0.7724 } as const;
export const HELD_UNSEEN = { annual_return: 0.5837, max_drawdown: 0.501 } as const;
