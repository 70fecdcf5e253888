import type { Bot, BotPosition } from '#contract/bots/bot.ts';
import { formatBtc, formatUsd } from '#domain/format/format-number.ts';
import { exchangeName } from '../exchange-name.ts';
import { formatGain } from '../format-gain.ts';

/** `long position of ₿0.012345`. */
const positionWords = ({ side, quantity }: BotPosition): string => `${side} position of ${formatBtc(quantity)}`;

/** What goes on protecting a position that nobody looks after. */
function restingWords({ stop_price, target_price }: BotPosition, exchange: string): string {
  if (stop_price === null) return 'Nothing protects it then.';
  const target = target_price === null ? '' : ` and its target at ${formatUsd(target_price)}`;
  return `Its stop at ${formatUsd(stop_price)}${target} stay with ${exchange}; nobody here looks after them any more.`;
}

/** What each command does to this bot and its money, said before it is done. */
export const consequences = {
  start: ({ position_size, leverage, config, position }: Bot): string =>
    `It trades BTC with ${formatUsd(position_size)}${config.paper ? ' of paper money' : ' of your money'} at up to ${leverage}x, from the next closed candle on.${
      position ? ` It takes over its open ${positionWords(position)}.` : ''
    }`,

  close: ({ position }: Bot): string =>
    position
      ? `Its ${positionWords(position)} is closed at the market price of the moment; now that would be about ${formatGain(position.unrealised_pnl)}.`
      : 'It has no open position. Orders of its own that still wait are taken back.',

  keep: ({ position, config }: Bot): string =>
    position
      ? `Its ${positionWords(position)} stays open. ${restingWords(position, exchangeName(config))}`
      : 'It has no open position that could be kept.',

  pause: ({ position }: Bot): string =>
    `It opens nothing new until it is resumed. ${
      position ? `Its ${positionWords(position)} stays, with its stop and target, and is looked after.` : 'It has no open position.'
    }`,

  resume: (): string => 'It opens positions again, from the next closed candle on.',

  remove: (position: BotPosition): string => `Its ${positionWords(position)} is closed at the market price first.`,
};
