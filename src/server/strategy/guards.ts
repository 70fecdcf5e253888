import { DAY } from '#domain/clock.ts';

/** When a bot stops opening anything new. Fractions are of the bot's equity. */
export const GUARD_LIMITS = {
  /** Losing trades one after another, and how long it waits then, ms. */
  streak: 8,
  streakPause: DAY,
  /** Lost since midnight UTC: waits until the next. */
  daily: 0.06,
  /** Lost from the highest equity, what is unrealised counted: waits, ms, and then counts from where it is. */
  drawdown: 0.3,
  drawdownPause: 14 * DAY,
} as const;

/** What the guards know of a bot: plain JSON, kept with it, so that a restart forgets nothing. Times in ms of the feed. */
export interface Guards {
  /** USD; null before the first mark. */
  peak: number | null;
  /** Start of the day UTC, and the equity it began with. */
  day: number | null;
  dayEquity: number;
  streak: number;
  pausedUntil: number;
  pausedFor: string | null;
}

export const NO_GUARDS: Guards = { peak: null, day: null, dayEquity: 0, streak: 0, pausedUntil: 0, pausedFor: null };

interface Mark {
  /** USD, what is unrealised counted. */
  equity: number;
  /** ms of the feed's time. */
  at: number;
}

/** Hears of the equity, at least once per candle. */
export function afterMark(guards: Guards, { equity, at }: Mark): Guards {
  const day = Math.floor(at / DAY) * DAY;
  const fresh = day === guards.day ? guards : { ...guards, day, dayEquity: equity };
  const marked = { ...fresh, peak: Math.max(guards.peak ?? equity, equity) };
  if (equity <= marked.peak * (1 - GUARD_LIMITS.drawdown)) {
    const paused = pause(marked, at + GUARD_LIMITS.drawdownPause, `Down ${percent(GUARD_LIMITS.drawdown)} from its highest equity`);
    return { ...paused, peak: equity };
  }
  if (equity <= marked.dayEquity * (1 - GUARD_LIMITS.daily))
    return pause(marked, day + DAY, `Down ${percent(GUARD_LIMITS.daily)} since midnight UTC`);
  return marked;
}

/** Hears of a trade that is over; `pnl` with fees and funding taken off. */
export function afterTrade(guards: Guards, { pnl, ...mark }: Mark & { pnl: number }): Guards {
  const marked = afterMark(guards, mark);
  if (pnl >= 0) return { ...marked, streak: 0 };
  const streak = marked.streak + 1;
  if (streak < GUARD_LIMITS.streak) return { ...marked, streak };
  return pause({ ...marked, streak: 0 }, mark.at + GUARD_LIMITS.streakPause, `${GUARD_LIMITS.streak} losing trades one after another`);
}

/** Why nothing may be opened at `at`; null where it may. */
export const guardReason = (guards: Guards, at: number): string | null => (at < guards.pausedUntil ? guards.pausedFor : null);

/** The longer pause counts. */
const pause = (guards: Guards, until: number, why: string): Guards =>
  until > guards.pausedUntil ? { ...guards, pausedUntil: until, pausedFor: why } : guards;

const percent = (fraction: number) => `${Math.round(fraction * 100)}%`;
