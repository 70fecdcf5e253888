import type { Bot, BotPosition } from '#contract/bots/bot.ts';
import type { FigureUnit } from '#contract/chat/answer-figures.ts';
import { formatAmount, formatGain } from '#domain/bots/bot-amounts.ts';
import { MONEY_NAMES, moneyOf } from '#domain/bots/bot-money.ts';
import { formatBtc } from '#domain/format/format-number.ts';
import { type AllowanceKind, limitOf } from '#domain/plans/allowance.ts';
import { PLANS, type Plan, UNLIMITED } from '#domain/plans/plans.ts';
import type { OwnBots, OwnPlan } from '../own.ts';
import { plain } from './format.ts';
import { dateOf } from './stamp.ts';
import { told } from './told.ts';

/** Where such answers come from, as their last line names it. */
export const BOTS_SOURCE = 'your bots';
export const PLAN_SOURCE = 'your account';

const BOTS_PAGE = '[Trading Bot](/trading-bot)';
const MANAGE = '[Manage Subscription](/settings/manage-subscription)';

/** Said where the rows of the user are not at hand. */
export const NO_BOTS_AT_HAND = `I can't read your bots at the moment. ${BOTS_PAGE} shows them as soon as there is a connection.`;
export const NO_PLAN_AT_HAND = `I can't read your plan at the moment. ${MANAGE} shows it as soon as there is a connection.`;

const STATUS_NAMES: Readonly<Record<string, string>> = {
  PROVISIONING: 'starting',
  RUNNING: 'running',
  STOPPING: 'stopping',
  STOPPED: 'stopped',
  ERROR: 'stopped by an error',
};

const own = (shown: string, label: string, value: number, unit: FigureUnit): string => told(shown, { label, value, unit, tool: 'account' });

/** Answers with what each of the user's bots does: its money, its position, and what keeps it from trading. */
export function answerOwnBots({ bots }: OwnBots): string {
  if (bots.length === 0)
    return `You have no trading bots. You can make one on ${BOTS_PAGE}. It can trade with paper money first, with which you can lose nothing.`;
  const running = bots.filter(({ status }) => status === 'RUNNING').length;
  return [
    `You have **${own(String(bots.length), 'Your bots', bots.length, 'count')}** trading ${bots.length === 1 ? 'bot' : 'bots'}, ${own(String(running), 'Your bots that run', running, 'count')} of them running.`,
    bots.map(botLine).join('\n'),
    `${BOTS_PAGE} shows every trade, and for each candle why there was none.`,
  ].join('\n\n');
}

function botLine(bot: Bot): string {
  const { bot_name, status, status_reason, paused_reason, config, equity, position_size, position } = bot;
  const name = plain(bot_name) || 'Bot';
  const gain = equity - position_size;
  const why = status_reason ?? paused_reason;
  const money = [
    `**${own(formatAmount(equity), `Money of ${name}`, equity, 'USD')}**`,
    `${own(formatGain(gain), `Profit or loss of ${name}`, gain, 'USD')} since it started with ${own(formatAmount(position_size), `Money at the start of ${name}`, position_size, 'USD')}`,
  ].join(', ');
  return [
    `- **${name}** (${MONEY_NAMES[moneyOf(config)]}, ${STATUS_NAMES[status] ?? plain(status).toLowerCase()}): ${money}.`,
    position ? positionText(position, name) : 'No open position.',
    ...(why ? [`${sentence(plain(why))}`] : []),
  ].join(' ');
}

function positionText({ side, quantity, entry_price, mark_price, stop_price, target_price, unrealised_pnl }: BotPosition, name: string) {
  const price = (what: string, value: number) => own(formatAmount(value), `${what} of ${name}`, value, 'USD');
  const ends = [
    ...(stop_price === null ? [] : [`stop ${price('Stop', stop_price)}`]),
    ...(target_price === null ? [] : [`target ${price('Target', target_price)}`]),
  ];
  const amount = own(formatBtc(quantity), `Position of ${name}`, quantity, 'BTC');
  const gain = own(formatGain(unrealised_pnl), `Open profit or loss of ${name}`, unrealised_pnl, 'USD');
  return `It is ${side} ${amount} from ${price('Entry price', entry_price)}, at ${price('Current price', mark_price)} now: ${gain}${ends.map((each) => `, ${each}`).join('')}.`;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Answers with the user's plan, what is left of it, and when the month ends. */
export function answerOwnPlan({ planType, extraQuestions, extraChatAnalysis, asOf }: OwnPlan): string {
  const plan = PLANS[planType];
  const left = [
    leftText(plan, 'question', 'questions', extraQuestions),
    leftText(plan, 'chart', 'chart analyses', extraChatAnalysis),
  ].filter((text) => text !== undefined);
  const now = new Date(asOf);
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return [
    `You are on the **${plan.name}** plan.`,
    plan.questions === UNLIMITED
      ? 'Your questions and chart analyses have no limit.'
      : `Left this month: ${left.join(' and ')}. The count starts again on ${dateOf(next)} at 00:00 UTC.`,
    `${MANAGE} shows when the plan ends, and changes it. Ask "what plans are there" to compare them.`,
  ].join('\n\n');
}

/** "**7** of 10 questions". Undefined without a limit, or where rows of earlier versions do not tell. */
function leftText(plan: Plan, kind: AllowanceKind, name: string, left: number | undefined): string | undefined {
  if (left === undefined || left < 0) return undefined;
  const limit = limitOf(plan, kind);
  const shown = `**${own(String(left), `${name.charAt(0).toUpperCase()}${name.slice(1)} left this month`, left, 'count')}**`;
  // After a change of plan, more can be left than the plan has.
  return limit >= left ? `${shown} of ${limit} ${name}` : `${shown} ${name}`;
}
