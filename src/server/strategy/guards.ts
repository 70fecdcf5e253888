import { PAUSE_LOSS } from '#domain/bots/loss-limit.ts';
import { DAY } from '#domain/clock.ts';

/** Limits that pause a bot's entries. Fractions are of the bot's equity. */
export const GUARD_LIMITS = {
  /** Consecutive losing trades, and the pause after them, ms. */
  streak: 8,
  streakPause: DAY,
  /** Loss since midnight UTC; pauses until the next midnight. */
  daily: 0.06,
  /** Loss from the highest equity, open profit included, and the pause after it, ms. Then the current equity is the new peak. */
  drawdown: PAUSE_LOSS,
  drawdownPause: 14 * DAY,
} as const;

/** State of a bot's guards: plain JSON, stored with the bot to survive restarts. Times in ms of the feed. */
export interface Guards {
  /** Highest equity since the last pause for a drawdown, USD; null before the first mark. */
  peak: number | null;
  /** Highest equity since the bot last stopped for its loss, USD. Guards of earlier versions have none. */
  highest?: number | null;
  /** Start of the UTC day, and the equity then. */
  day: number | null;
  dayEquity: number;
  streak: number;
  pausedUntil: number;
  pausedFor: string | null;
}

export const NO_GUARDS: Guards = { peak: null, highest: null, day: null, dayEquity: 0, streak: 0, pausedUntil: 0, pausedFor: null };

interface Mark {
  /** Equity with the open position's profit, USD. */
  equity: number;
  /** ms of the feed's time. */
  at: number;
}

/**
 * Updates the guards with the equity. Call it at least once per candle.
 * @param drawdown the loss from the peak that pauses, as a fraction.
 */
export function afterMark(guards: Guards, { equity, at }: Mark, drawdown: number = GUARD_LIMITS.drawdown): Guards {
  const day = Math.floor(at / DAY) * DAY;
  const fresh = day === guards.day ? guards : { ...guards, day, dayEquity: equity };
  const peak = Math.max(guards.peak ?? equity, equity);
  const marked = { ...fresh, peak, highest: Math.max(guards.highest ?? peak, equity) };
  if (equity <= marked.peak * (1 - drawdown)) {
    const paused = pause(marked, at + GUARD_LIMITS.drawdownPause, `Down ${percent(drawdown)} from its highest equity`);
    return { ...paused, peak: equity };
  }
  if (equity <= marked.dayEquity * (1 - GUARD_LIMITS.daily))
    return pause(marked, day + DAY, `Down ${percent(GUARD_LIMITS.daily)} since midnight UTC`);
  return marked;
}

/** Updates the guards with a closed trade; `pnl` is net of fees and funding. */
export function afterTrade(guards: Guards, { pnl, ...mark }: Mark & { pnl: number }, drawdown?: number): Guards {
  const marked = afterMark(guards, mark, drawdown);
  if (pnl >= 0) return { ...marked, streak: 0 };
  const streak = marked.streak + 1;
  if (streak < GUARD_LIMITS.streak) return { ...marked, streak };
  return pause({ ...marked, streak: 0 }, mark.at + GUARD_LIMITS.streakPause, `${GUARD_LIMITS.streak} losing trades in a row`);
}

/** Returns the loss from the highest equity, as a fraction; 0 before the first mark. */
export const lossOf = ({ highest }: Guards, equity: number): number => (highest == null || highest <= 0 ? 0 : 1 - equity / highest);

/** Returns why the bot may not enter at `at`; null if it may. */
export const guardReason = (guards: Guards, at: number): string | null => (at < guards.pausedUntil ? guards.pausedFor : null);

/** Sets a pause, unless the current one is longer. */
const pause = (guards: Guards, until: number, why: string): Guards =>
  until > guards.pausedUntil ? { ...guards, pausedUntil: until, pausedFor: why } : guards;

const percent = (fraction: number) => `${Math.round(fraction * 100)}%`;
