import type { Bot } from '#contract/bots/bot.ts';

/** Returns a bot's status word and its color: green while running, red when stopped, yellow otherwise. */
export function statusOf({ status }: Bot): { word: string; tone: 'up' | 'down' | 'warn' } {
  if (status === 'PROVISIONING') return { word: 'Setting up...', tone: 'warn' };
  return { word: status, tone: status === 'RUNNING' ? 'up' : status === 'STOPPED' ? 'down' : 'warn' };
}
