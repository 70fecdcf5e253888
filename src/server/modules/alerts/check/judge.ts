import { type AlertState, afterLook, hasExpired, lookSince, type Threshold } from '#domain/alerts/rules.ts';
import type { Moment } from './moments.ts';

interface Watched {
  threshold: Threshold;
  state: AlertState;
  /** ms UTC. */
  since: number;
  rearms: boolean;
  expiresAt: number | null;
}

/** A value at which an alert fired, and when. */
export interface Shot {
  value: number;
  moment: Moment;
}

/** What moments did to a watch. */
export interface Verdict {
  state: AlertState;
  since: number;
  shots: Shot[];
}

/** Returns what a coin's moments do to a watch, in their order; nothing if it stays as it is. */
export function judge({ threshold, rearms, expiresAt, ...watch }: Watched, moments: readonly Moment[]): Verdict | undefined {
  let { state, since } = watch;
  const shots: Shot[] = [];
  for (const moment of moments) {
    const whole = moment.looks[threshold.measure];
    const look = whole && lookSince(whole, since);
    if (!look || state === 'done') continue;
    const after = hasExpired(expiresAt, look.to) ? { state: 'done' as const } : afterLook(threshold, state, { rearms, look });
    if (after.firedAt !== undefined) shots.push({ value: after.firedAt, moment });
    if (after.state !== state || after.firedAt !== undefined) since = look.to;
    state = after.state;
  }
  return state === watch.state && shots.length === 0 ? undefined : { state, since, shots };
}
