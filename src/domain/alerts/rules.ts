/** What a price alert waits for. A percentage above zero is a rise, one below zero a fall. */
export type AlertRule = { kind: 'above' | 'below'; price: number } | { kind: 'percent'; percent: number; period: number };

/** The prices of a coin since the last look. Times are ms UTC. */
export interface Look {
  from: number;
  to: number;
  high: number;
  low: number;
  last: number;
}

/** A level and the side from which the price has to reach it. */
export interface Threshold {
  side: 'above' | 'below';
  level: number;
}

/** An alert that waits fires again only after the price has left its level. */
export type AlertState = 'armed' | 'waiting' | 'done';

/** The distance, as a share of the level, that the price leaves it by before the alert is armed again. */
const HYSTERESIS = 0.005;

const isPrice = (value: number): boolean => Number.isFinite(value) && value > 0;

/** Tells whether a look holds possible prices and begins no earlier than the last one ended. */
export const isUsableLook = ({ from, to, high, low, last }: Look, seenUntil: number): boolean =>
  from >= seenUntil && to >= from && [high, low, last].every(isPrice) && low <= last && last <= high;

/** Returns the level at which a rule fires, given the extremes of its period; nothing if there is no such price. */
export function thresholdOf(rule: AlertRule, extremes: { high: number; low: number }): Threshold | undefined {
  const threshold: Threshold =
    rule.kind !== 'percent'
      ? { side: rule.kind, level: rule.price }
      : rule.percent > 0
        ? { side: 'above', level: extremes.low * (1 + rule.percent / 100) }
        : { side: 'below', level: extremes.high * (1 + rule.percent / 100) };
  if (rule.kind === 'percent' && !(Math.abs(rule.percent) > 0)) return undefined;
  return isPrice(threshold.level) ? threshold : undefined;
}

/** Returns an alert's state after a look, and the price at which it fired, if it did. */
export function afterLook(
  { side, level }: Threshold,
  state: AlertState,
  rearms: boolean,
  look: Look,
): { state: AlertState; firedAt?: number } {
  const above = side === 'above';
  const reached = (price: number): boolean => (above ? price >= level : price <= level);
  const back = above ? level * (1 - HYSTERESIS) : level * (1 + HYSTERESIS);
  const left = (price: number): boolean => (above ? price <= back : price >= back);
  const toward = above ? look.high : look.low;
  const away = above ? look.low : look.high;
  if (state === 'done') return { state };
  if (state === 'armed') {
    if (!reached(toward)) return { state };
    return { state: !rearms ? 'done' : left(look.last) ? 'armed' : 'waiting', firedAt: toward };
  }
  if (!left(away)) return { state };
  // A look does not say which extreme came first; only its last price certainly follows both.
  return reached(look.last) ? { state: 'waiting', firedAt: look.last } : { state: 'armed' };
}

/** Tells whether an alert has expired; one without an expiry never does. */
export const hasExpired = (expiresAt: number | null, now: number): boolean => expiresAt !== null && now >= expiresAt;
