import { hasElapsed, MINUTE } from '#domain/clock.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import type { AccessOf } from '#server/bots/store/access.ts';
import type { BotRow } from '#server/bots/store/bots.ts';
import { createRecentMap, type RecentMap } from '#server/recent-map.ts';
import { guardReason } from '#server/strategy/guards.ts';
import type { Cycle, CycleParts } from './cycle.ts';

/** How long a user's access is cached, ms. */
const ACCESS_TTL = MINUTE;
/** Cached users; those not used for longest are evicted. */
const MAX_USERS = 10_000;

const accessCaches = new WeakMap<AccessOf, RecentMap<string, { at: number; message: string | null }>>();

/** Returns why a user's bots may not open positions; null if they may. */
async function accessReason({ db, accessOf, clock }: CycleParts, userId: string): Promise<string | null> {
  const cache = accessCaches.get(accessOf) ?? createRecentMap(MAX_USERS);
  accessCaches.set(accessOf, cache);
  const hit = cache.get(userId);
  if (hit && !hasElapsed(clock(), hit.at, ACCESS_TTL)) return hit.message;
  const access = await accessOf(db, userId);
  const message = access.allowed ? null : access.message;
  cache.set(userId, { at: clock(), message });
  return message;
}

type Pause = Pick<BotRow, 'pausedBy' | 'pausedReason'>;

/** Returns why the bot opens no positions. The user's own pause comes first, then their plan, then the risk guards. */
async function pauseOf({ parts, bot: { userId, pausedBy, pausedReason } }: Cycle, { guards }: Observation): Promise<Pause> {
  const access = await accessReason(parts, userId);
  if (pausedBy === 'user') return { pausedBy, pausedReason };
  if (access !== null) return { pausedBy: 'access', pausedReason: access };
  const guard = guardReason(guards.guards, parts.exchange.feed.now());
  return guard === null ? { pausedBy: null, pausedReason: null } : { pausedBy: 'guard', pausedReason: guard };
}

/** Updates the bot's pause, and reports a change. */
export async function updatePause(cycle: Cycle, view: Observation): Promise<void> {
  const { bot, changes, events } = cycle;
  const pause = await pauseOf(cycle, view);
  Object.assign(changes, pause);
  if (pause.pausedBy === bot.pausedBy && pause.pausedReason === bot.pausedReason) return;
  const held = view.position ? ' The open position keeps its stop.' : '';
  if (pause.pausedReason !== null)
    events.push({ actor: 'engine', kind: 'paused', text: `New positions are paused: ${pause.pausedReason}.${held}`, notify: true });
  else events.push({ actor: 'engine', kind: 'resumed', text: 'The bot can open new positions again.' });
}
