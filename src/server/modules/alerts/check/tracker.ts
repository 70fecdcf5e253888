import { ALERT_PERIODS } from '#contract/alerts/alert-limits.ts';
import { CLOCK_ROLLBACK_LIMIT } from '#domain/clock.ts';
import type { PriceRow } from './check-store.ts';
import { type Known, knownAfter, knownAfterGap, type Moment, momentOf, momentsOfGap, type Sample } from './moments.ts';
import type { PastPrices } from './past-prices.ts';

export interface Tracked {
  known: Known;
  /** Undefined before the first sample. */
  last?: Sample | undefined;
  /** Whether prices before the last sample are still to be read. */
  hasGap: boolean;
}

interface Parts {
  past: PastPrices;
  /** Samples further apart than this leave a gap, ms. */
  gap: number;
}

/** Follows how far each coin is checked while this process leads. */
export function createTracker({ past, gap }: Parts) {
  const coins = new Map<number, Tracked>();
  /** When this process began to lead: what was not checked before leaves a gap, however short. */
  let began: number | undefined;

  function trackedOf(row: PriceRow, start: number): Tracked {
    const seenUntil = row.seenUntil.getTime();
    const known = {
      seenUntil,
      seenFrom: row.seenFrom.getTime(),
      high: row.high ?? Number.NEGATIVE_INFINITY,
      low: row.low ?? Number.POSITIVE_INFINITY,
    };
    return coins.get(row.coinId) ?? { known, hasGap: seenUntil < start };
  }

  /** Returns the moments since the last check, and what is tracked after them; nothing without a new sample. */
  function follow(row: PriceRow, given: readonly Sample[]): { moments: Moment[]; next: Tracked } | undefined {
    const newest = given.at(-1);
    if (!newest) return undefined;
    began ??= given[0]?.at ?? newest.at;
    const { known, last, hasGap } = trackedOf(row, began);
    // The clock was set back.
    if (newest.at < known.seenUntil - CLOCK_ROLLBACK_LIMIT)
      return { moments: [momentOf(newest, newest.at)], next: { known: knownAfterGap(undefined, newest), last: newest, hasGap: false } };
    const samples = given.filter(({ at }) => at > known.seenUntil);
    const first = samples[0];
    if (!first) return undefined;
    const moments = samples.map((sample, index) => momentOf(sample, samples[index - 1]?.at ?? known.seenUntil));
    if (!hasGap && first.at - known.seenUntil <= gap) {
      const isSame = last && row.changedAt.getTime() <= known.seenUntil && samples.every((sample) => isEqual(sample, last));
      return { moments: isSame ? [] : moments, next: { known: knownAfter(known, samples), last: newest, hasGap: false } };
    }
    const found = past.take(row.coinId);
    // Without the candles, current prices count at once, and the gap stays open until they are there.
    if (found === undefined || (found && found.until < first.at - gap)) return { moments, next: { known, last: newest, hasGap: true } };
    const missed = found ? momentsOfGap(known, found, first.at) : [];
    const after = knownAfter(knownAfterGap(found ?? undefined, first), samples.slice(1));
    return { moments: [...missed, ...moments], next: { known: after, last: newest, hasGap: false } };
  }

  return {
    follow,
    /** Keeps what is tracked of coins once their moments are settled. */
    keep(next: ReadonlyMap<number, Tracked>): void {
      for (const [id, tracked] of next) coins.set(id, tracked);
    },
    /** Returns the rows that tell another leader how far coins are checked. */
    rows: (): Omit<PriceRow, 'changedAt'>[] =>
      [...coins].map(([coinId, { known }]) => ({
        coinId,
        seenUntil: new Date(known.seenUntil),
        seenFrom: new Date(known.seenFrom),
        high: Number.isFinite(known.high) ? known.high : null,
        low: Number.isFinite(known.low) ? known.low : null,
      })),
    /** Forgets everything: another process leads. */
    forget(): void {
      coins.clear();
      past.forget();
      began = undefined;
    },
  };
}

const isEqual = (a: Sample, b: Sample): boolean =>
  a.price === b.price && ALERT_PERIODS.every((period) => a.changes[period] === b.changes[period]);
