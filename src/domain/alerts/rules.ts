import type { AlertPeriod } from '#contract/alerts/alert.ts';
import { CLOCK_ROLLBACK_LIMIT } from '#domain/clock.ts';

/** What an alert compares with its level: the price in USD, or its change in a period in percent. */
export type Measure = 'price' | AlertPeriod;

type Side = 'above' | 'below';

/** A level and the side from which it has to be reached. */
export interface Threshold {
  measure: Measure;
  side: Side;
  level: number;
}

/**
 * `new`: the next look tells whether the level is reached, and fires nothing. `waiting`: the level is reached, and the alert fires only after
 * it has been left.
 */
export type AlertState = 'new' | 'armed' | 'waiting' | 'done';

/** What a measure was between two times, ms UTC. */
export interface Look {
  from: number;
  to: number;
  high: number;
  low: number;
  /** At `to`. */
  last: number;
}

/** How far the price leaves its level, as a share of it, before an alert is armed again; and a change, in percentage points. */
const PRICE_HYSTERESIS = 0.005;
const CHANGE_HYSTERESIS = 0.5;

/** Returns the level of an alert and its side. */
export function thresholdOf(rule: { kind: Side; price: number } | { kind: 'percent'; percent: number; period: AlertPeriod }): Threshold {
  if (rule.kind !== 'percent') return { measure: 'price', side: rule.kind, level: rule.price };
  return { measure: rule.period, side: rule.percent > 0 ? 'above' : 'below', level: rule.percent };
}

const isReached = ({ side, level }: Threshold, value: number): boolean => (side === 'above' ? value >= level : value <= level);

const oppositeOf = (side: Side): Side => (side === 'above' ? 'below' : 'above');

/** Returns the level at which an alert that waits is armed again, and its side. */
function backOf({ measure, side, level }: Threshold): Threshold {
  const distance = measure === 'price' ? level * PRICE_HYSTERESIS : CHANGE_HYSTERESIS;
  return { measure, side: oppositeOf(side), level: side === 'above' ? level - distance : level + distance };
}

/** Returns the level at which an alert's state can change; nothing once it is done. */
export function nextThreshold(threshold: Threshold, state: AlertState): Threshold | undefined {
  if (state === 'done') return undefined;
  if (state === 'new') return { ...threshold, level: threshold.side === 'above' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY };
  return state === 'armed' ? threshold : backOf(threshold);
}

/**
 * Returns the state of a new alert by what the user saw, if anything. A level that has been reached since then is armed, so that the next look
 * fires.
 */
export function firstState(threshold: Threshold, seen: number | null): AlertState {
  if (seen === null) return 'new';
  return isReached(threshold, seen) ? 'waiting' : 'armed';
}

/** Returns the part of a look that follows a time: all of it, its last value, or nothing. A time that a clock set ahead counts for nothing. */
export function lookSince(look: Look, since: number): Look | undefined {
  if (since <= look.from) return look;
  if (since >= look.to && since <= look.to + CLOCK_ROLLBACK_LIMIT) return undefined;
  const { to, last } = look;
  return { from: to, to, high: last, low: last, last };
}

/** Returns an alert's state after a look, and the value at which it fired, if it did. It fires once in a look at most. */
export function afterLook(
  threshold: Threshold,
  state: AlertState,
  { rearms, look: { high, low, last } }: { rearms: boolean; look: Look },
): { state: AlertState; firedAt?: number } {
  const back = backOf(threshold);
  const toward = threshold.side === 'above' ? high : low;
  const away = threshold.side === 'above' ? low : high;
  if (state === 'done') return { state };
  if (state === 'new') return { state: isReached(threshold, last) ? 'waiting' : 'armed' };
  if (state === 'armed') {
    if (!isReached(threshold, toward)) return { state };
    return { state: !rearms ? 'done' : isReached(back, last) ? 'armed' : 'waiting', firedAt: toward };
  }
  if (!isReached(back, away)) return { state };
  // A look does not say which extreme came first; only its last value certainly follows both.
  if (!isReached(threshold, last)) return { state: 'armed' };
  return { state: rearms ? 'waiting' : 'done', firedAt: last };
}

/** Tells whether an alert has expired; one without an expiry never does. */
export const hasExpired = (expiresAt: number | null, now: number): boolean => expiresAt !== null && now >= expiresAt;
