import { reachesLimit } from '#domain/bots/loss-limit.ts';
import { lossLimitText } from '#server/bots/messages/journal.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import type { KeptGuards } from '#server/bots/positions/risk-guards.ts';
import { lossOf } from '#server/strategy/guards.ts';
import type { Cycle } from './cycle.ts';

/** Whether a running bot has lost as much of its highest equity as its user allows. Such a bot stops. */
export function hasLostTooMuch({ bot, changes, events }: Cycle, { guards: { guards }, equity, isUnsettled }: Observation): boolean {
  const loss = lossOf(guards, equity);
  if (bot.status !== 'RUNNING' || isUnsettled || !reachesLimit(loss, bot.maxDrawdown)) return false;
  Object.assign(changes, { status: 'STOPPING', stopMode: 'close' } satisfies Cycle['changes']);
  events.push({ actor: 'engine', kind: 'loss-limit', text: lossLimitText(loss, bot.maxDrawdown), notify: true });
  return true;
}

/** Measures losses from the current equity, for when the user starts the bot again. */
export const measureFrom = (kept: KeptGuards, equity: number): KeptGuards => ({
  ...kept,
  guards: { ...kept.guards, peak: equity, highest: equity },
});
