import type { Backtest } from '#contract/bots/backtest.ts';
import type { AmountTexts } from '#domain/bots/bot-amounts.ts';

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Formats the days of a backtest, UTC. */
export const formatDays = (from: string, to: string): string => day.formatRange(Date.parse(from), Date.parse(to));

/** Names the candles and days of a backtest. */
export const titleOf = ({ interval, from, to }: Backtest['settings']): string => `${interval} candles, ${formatDays(from, to)}`;

/** Names the bot's settings in a backtest. */
export const detailOf = ({ position_size, leverage, max_drawdown }: Backtest['settings'], { amount }: AmountTexts): string =>
  `${amount(Number(position_size))}, up to ${leverage}x, loss limit ${max_drawdown}%`;

/** Returns the address of the form with these settings. */
export const formAddress = (settings: Partial<Backtest['settings']>): string => `/trading-bot/backtests?${new URLSearchParams(settings)}`;
