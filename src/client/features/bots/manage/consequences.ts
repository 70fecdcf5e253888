import type { Bot, BotPosition } from '#contract/bots/bot.ts';
import { type AmountTexts, formatAmount } from '#domain/bots/bot-amounts.ts';
import { closingEstimate, LONGEST_HOLD } from '#domain/bots/position-rules.ts';
import { DAY } from '#domain/clock.ts';
import { exchangeName } from '../exchange-name.ts';

const HOLD_DAYS = LONGEST_HOLD / DAY;

/** `long position of ₿0.012345`. */
const positionWords = ({ side, quantity }: BotPosition, texts: AmountTexts): string => `${side} position of ${texts.quantity(quantity)}`;

/** Describes the orders that protect a position while its bot is stopped, and what the bot no longer does. */
function protectionText({ stop_price, target_price }: BotPosition, exchange: string): string {
  const ended = `The bot no longer closes it when the trend turns, after ${HOLD_DAYS} days or at your loss limit, and sets no missing stop.`;
  if (stop_price === null) return `No stop protects it. ${ended}`;
  const orders = `Its stop at ${formatAmount(stop_price)}`;
  const kept = target_price === null ? `${orders} stays` : `${orders} and its target at ${formatAmount(target_price)} stay`;
  return `${kept} active at ${exchange}. ${ended}`;
}

/** Describes a close at market: price, cost and result, all estimates. */
function closingText(position: BotPosition, { taker_fee }: Bot, texts: AmountTexts): string {
  const { cost, result } = closingEstimate(position, taker_fee);
  const price = `Its ${positionWords(position, texts)} closes at the market price, now about ${formatAmount(position.mark_price)}.`;
  return `${price} Fee and slippage cost about ${texts.amount(cost)}. The result would be about ${texts.gain(result)}.`;
}

/** Describes what a bot does after its position is closed. */
function afterwards({ status, paused_reason }: Bot): string {
  if (status !== 'RUNNING') return 'The bot stays stopped.';
  return paused_reason === null ? 'The bot goes on, and can enter again after the next closed candle.' : 'New entries stay paused.';
}

/** Describes what each command does to a bot and its money, for the dialog before it. */
export const consequences = {
  start: ({ position_size, leverage, config, position }: Bot, texts: AmountTexts): string =>
    `It trades BTC with ${texts.amount(position_size)}${config.paper ? ' of paper money' : ' of your money'} at up to ${leverage}x, starting after the next closed candle.${
      position ? ` It manages its open ${positionWords(position, texts)} again.` : ''
    }`,

  close: (bot: Bot, texts: AmountTexts): string =>
    bot.position ? `${closingText(bot.position, bot, texts)} ${afterwards(bot)}` : 'It no longer has an open position.',

  stop: (bot: Bot, texts: AmountTexts): string =>
    bot.position ? closingText(bot.position, bot, texts) : 'It has no open position. Its open orders are canceled.',

  keep: ({ position, config }: Bot, texts: AmountTexts): string =>
    position
      ? `Its ${positionWords(position, texts)} stays open. ${protectionText(position, exchangeName(config))}`
      : 'It has no open position to keep.',

  pause: ({ position }: Bot, texts: AmountTexts): string =>
    `No new trades until you resume them. ${
      position
        ? `Its ${positionWords(position, texts)} stays open. The bot still closes it at its stop or target, when the trend turns, after ${HOLD_DAYS} days or at your loss limit.`
        : 'It has no open position.'
    }`,

  resume: ({ position }: Bot, texts: AmountTexts): string =>
    `It can open positions again after the next closed candle.${position ? ` It goes on managing its ${positionWords(position, texts)}.` : ''}`,

  remove: (position: BotPosition, texts: AmountTexts): string =>
    `Its ${positionWords(position, texts)} is closed at the market price first.`,
};
