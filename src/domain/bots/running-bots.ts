import type { Bot } from '#contract/bots/bot.ts';
import { roundToCents, sumOfCents } from './bot-amounts.ts';
import { MONEY_NAMES, type Money, moneyOf } from './bot-money.ts';

/** Real money first. */
const BY_STAKE: readonly Money[] = ['live', 'testnet', 'paper'];

export interface RunningBots {
  /** Profit or loss of the bots with the most at stake, USD. Amounts of different kinds of money are never added. */
  gain: number | undefined;
  /** How many run, and with which money the gain was made. */
  summary: string | undefined;
}

/** Summarizes the bots that run. */
export function runningBots(bots: readonly Bot[]): RunningBots {
  const running = bots.filter(({ status }) => status === 'RUNNING');
  const money = BY_STAKE.find((each) => running.some(({ config }) => moneyOf(config) === each));
  if (!money) return { gain: undefined, summary: undefined };
  const counted = running.filter(({ config }) => moneyOf(config) === money);
  const others = running.length - counted.length;
  return {
    gain: sumOfCents(counted.map(({ equity, position_size }) => roundToCents(equity - position_size))),
    summary: `${counted.length} running · ${MONEY_NAMES[money]}${others > 0 ? ` · ${others} other` : ''}`,
  };
}
