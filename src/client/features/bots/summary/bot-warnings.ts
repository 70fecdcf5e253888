import { type Bot, PAUSED_BY_USER } from '#contract/bots/bot.ts';
import { figuresOf, unmeasuredMessage } from '#domain/bots/backtest-figures.ts';
import { KEY_WARN_DAYS, SILENCE } from '#domain/bots/bot-alarms.ts';
import { moneyOf } from '#domain/bots/bot-money.ts';
import { stalePricesMessage } from '#domain/bots/instrument.ts';
import { DAY } from '#domain/clock.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { formatDay } from '#domain/format/format-date.ts';
import { exchangeName } from '../exchange-name.ts';

/** Lists what the user should know or fix. `asOf`: when the service sent this state, ms UTC. */
export const warningsOf = (bot: Bot, asOf: number): string[] =>
  [pause(bot), stalePricesMessage(bot.config) ?? silence(bot, asOf), keyEnd(bot, asOf), unmeasured(bot)].filter(
    (text) => !!text,
  ) as string[];

const pause = ({ paused_reason }: Bot): string | undefined =>
  paused_reason === null || paused_reason === PAUSED_BY_USER ? (paused_reason ?? undefined) : `No new trades: ${paused_reason}`;

/** Warns of a silent exchange, unless the bot has nothing to manage there. */
function silence({ status, position, last_exchange_at, config }: Bot, asOf: number): string | undefined {
  const isWatched = status === 'RUNNING' || status === 'STOPPING' || (status !== 'ERROR' && position !== null);
  if (!isWatched || last_exchange_at === null || asOf - Date.parse(last_exchange_at) <= SILENCE) return undefined;
  return `No answer from ${exchangeName(config)} for more than 15 minutes. Orders there, stops included, stay active.`;
}

/** Warns of real money on candles that no backtest covers: a bot from before the server refused them. */
const unmeasured = ({ config }: Bot): string | undefined =>
  moneyOf(config) === 'live' && !figuresOf(config.interval) ? unmeasuredMessage(config.interval) : undefined;

function keyEnd({ key_expires_at, config }: Bot, asOf: number): string | undefined {
  if (!key_expires_at) return undefined;
  const end = Date.parse(key_expires_at);
  const days = Math.ceil((end - asOf) / DAY);
  if (days > Math.max(...KEY_WARN_DAYS)) return undefined;
  if (days <= 0) return "The API key has expired, so the bot can't manage its position. Replace the key in the bot's settings.";
  return `The API key expires on ${formatDay(end)}, in ${formatCount(days, 'day')}. Renew it at ${exchangeName(config)}, or replace it in the bot's settings.`;
}
