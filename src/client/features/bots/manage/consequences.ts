import type { Bot, BotPosition } from '#contract/bots/bot.ts';
import { formatBtc, formatUsd } from '#domain/format/format-number.ts';
import { exchangeName } from '../exchange-name.ts';
import { formatGain } from '../format-gain.ts';

/** `long position of ₿0.012345`. */
const positionWords = ({ side, quantity }: BotPosition): string => `${side} position of ${formatBtc(quantity)}`;

/** Describes the orders that protect a position while its bot is stopped. */
function protectionText({ stop_price, target_price }: BotPosition, exchange: string): string {
  if (stop_price === null) return 'No stop protects it.';
  const target = target_price === null ? '' : ` and its target at ${formatUsd(target_price)}`;
  return `Its stop at ${formatUsd(stop_price)}${target} stay active at ${exchange}, but the bot stops managing them.`;
}

/** Describes what each command does to a bot and its money, for the dialog before it. */
export const consequences = {
  start: ({ position_size, leverage, config, position }: Bot): string =>
    `It trades BTC with ${formatUsd(position_size)}${config.paper ? ' of paper money' : ' of your money'} at up to ${leverage}x, starting after the next closed candle.${
      position ? ` It manages its open ${positionWords(position)} again.` : ''
    }`,

  close: ({ position }: Bot): string =>
    position
      ? `Its ${positionWords(position)} is closed at the market price. The result now would be about ${formatGain(position.unrealised_pnl)}.`
      : 'It has no open position. Its open orders are canceled.',

  keep: ({ position, config }: Bot): string =>
    position
      ? `Its ${positionWords(position)} stays open. ${protectionText(position, exchangeName(config))}`
      : 'It has no open position to keep.',

  pause: ({ position }: Bot): string =>
    `No new trades until you resume it. ${
      position ? `Its ${positionWords(position)} stays open, and the bot keeps managing its stop and target.` : 'It has no open position.'
    }`,

  resume: (): string => 'It can open positions again after the next closed candle.',

  remove: (position: BotPosition): string => `Its ${positionWords(position)} is closed at the market price first.`,
};
