import type { Bot } from '#contract/bots/bot.ts';

/** Returns what a bot does with its position or its entries, beside its status; undefined if there is nothing special. */
export function subStateOf({ status, position, paused_reason, closing, stop_mode }: Bot): string | undefined {
  if (position && (closing || (status === 'STOPPING' && stop_mode === 'close'))) return 'Closing position';
  if (status === 'RUNNING') return paused_reason === null ? undefined : 'Entries paused';
  if (!position) return undefined;
  if (status === 'STOPPING' && stop_mode === 'keep') return 'Keeping position';
  return status === 'STOPPED' ? 'Position kept' : status === 'ERROR' ? 'Position open' : undefined;
}

/** Returns a bot's status word and its color: green while running, red when stopped, yellow otherwise. */
export function statusOf({ status }: Bot): { word: string; tone: 'up' | 'down' | 'warn' } {
  if (status === 'PROVISIONING') return { word: 'Setting up...', tone: 'warn' };
  return { word: status, tone: status === 'RUNNING' ? 'up' : status === 'STOPPED' ? 'down' : 'warn' };
}
