import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '#domain/clock.ts';
import { afterMark, afterTrade, GUARD_LIMITS, type Guards, guardReason, lossOf, NO_GUARDS } from '#server/strategy/guards.ts';

const MIDNIGHT = 20_000 * DAY;
const mark = (guards: Guards, equity: number, hours: number) => afterMark(guards, { equity, at: MIDNIGHT + hours * HOUR });

/** Creates trades that lose a dollar each, an hour apart. */
const losing = (count: number, from = NO_GUARDS): Guards =>
  Array.from({ length: count }).reduce<Guards>(
    (guards, _, index) => afterTrade(guards, { pnl: -1, equity: 1000, at: MIDNIGHT + (index + 1) * HOUR }),
    from,
  );

describe('guards', () => {
  it('let a new bot trade', () => {
    expect(guardReason(NO_GUARDS, MIDNIGHT)).toBeNull();
    expect(guardReason(mark(mark(NO_GUARDS, 1000, 1), 1100, 2), MIDNIGHT + 2 * HOUR)).toBeNull();
  });

  it('pause for a day after a losing streak', () => {
    const streak = GUARD_LIMITS.streak;
    expect(guardReason(losing(streak - 1), MIDNIGHT + streak * HOUR)).toBeNull();
    const paused = losing(streak);
    expect(guardReason(paused, MIDNIGHT + streak * HOUR)).toBe(`${streak} losing trades in a row`);
    expect(guardReason(paused, MIDNIGHT + streak * HOUR + DAY - 1)).not.toBeNull();
    expect(guardReason(paused, MIDNIGHT + streak * HOUR + DAY)).toBeNull();
    // The count starts again.
    expect(losing(1, paused).pausedUntil).toBe(paused.pausedUntil);
  });

  it('count losing trades since the last winning one', () => {
    const won = afterTrade(losing(GUARD_LIMITS.streak - 1), { pnl: 5, equity: 1000, at: MIDNIGHT + 10 * HOUR });
    expect(guardReason(losing(GUARD_LIMITS.streak - 1, won), MIDNIGHT + 20 * HOUR)).toBeNull();
  });

  it('pause until midnight UTC after a daily loss, open profit included', () => {
    const day = mark(mark(NO_GUARDS, 1000, 1), 1200, 5);
    const paused = mark(day, 940, 8);
    expect(guardReason(mark(day, 941, 8), MIDNIGHT + 8 * HOUR)).toBeNull();
    expect(guardReason(paused, MIDNIGHT + 8 * HOUR)).toBe('Down 6% since midnight UTC');
    expect(guardReason(paused, MIDNIGHT + DAY - 1)).not.toBeNull();
    expect(guardReason(paused, MIDNIGHT + DAY)).toBeNull();
    // Tomorrow's loss is measured from tomorrow's first equity.
    expect(guardReason(mark(paused, 890, 25), MIDNIGHT + 25 * HOUR)).toBeNull();
  });

  it('pause for two weeks after a drawdown, and then measure from the current equity', () => {
    let guards = mark(NO_GUARDS, 1000, 0);
    for (const [index, equity] of [960, 920, 880, 840, 800, 760, 720, 701].entries()) guards = mark(guards, equity, (index + 1) * 24);
    const at = MIDNIGHT + 9 * DAY;
    expect(guardReason(guards, at)).toBeNull();
    guards = afterMark(guards, { equity: 699, at });
    expect(guardReason(guards, at)).toBe('Down 30% from its highest equity');
    expect(guardReason(guards, at + 14 * DAY - 1)).toBe('Down 30% from its highest equity');
    expect(guardReason(guards, at + 14 * DAY)).toBeNull();
    const later = afterMark(guards, { equity: 690, at: at + 14 * DAY });
    expect(guardReason(later, at + 14 * DAY)).toBeNull();
    expect(later.peak).toBe(699);
  });

  it('keep the longer of two pauses', () => {
    const long = afterMark(mark(NO_GUARDS, 1000, 1), { equity: 690, at: MIDNIGHT + 2 * HOUR });
    expect(losing(GUARD_LIMITS.streak, long).pausedUntil).toBe(long.pausedUntil);
  });

  it('pause below the loss at which the user wants the bot to stop, which is measured from the highest equity of all', () => {
    const at = (hours: number) => MIDNIGHT + hours * HOUR;
    let guards = afterMark(NO_GUARDS, { equity: 1000, at: at(0) }, 0.2);
    guards = afterMark(guards, { equity: 790, at: at(24) }, 0.2);
    expect(guardReason(guards, at(24))).toBe('Down 20% from its highest equity');
    expect(guards.peak).toBe(790);
    expect(lossOf(guards, 690)).toBeCloseTo(0.31, 10);
    expect(lossOf(NO_GUARDS, 500)).toBe(0);
  });

  it('measure the loss of a bot of an earlier version from its peak', () => {
    const { highest: _, ...earlier } = mark(NO_GUARDS, 1000, 0);
    expect(lossOf(mark(earlier, 900, 1), 700)).toBeCloseTo(0.3, 10);
  });

  it('survive a restart', () => {
    const guards = losing(GUARD_LIMITS.streak);
    expect(JSON.parse(JSON.stringify(guards))).toEqual(guards);
  });
});
