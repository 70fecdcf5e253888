import type { Clock } from '#domain/clock.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { NotifyAll } from '#server/modules/notifications/service.ts';
import type { MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { checkAlerts } from './check-alerts.ts';
import { readPrices, savePrices } from './check-store.ts';
import { type Moment, type Sample, sampleOf } from './moments.ts';
import { createPastPrices } from './past-prices.ts';
import { createTracker, type Tracked } from './tracker.ts';

/** How often it is stored how far coins are checked, ms. */
const SAVE_INTERVAL = MINUTE;

export interface CheckParts {
  db: Db;
  clock: Clock;
  market: Pick<MarketData, 'snapshot' | 'history' | 'drawn'>;
  notifyAll: NotifyAll;
  /** Interval of the market's updates, ms. */
  everyMs: number;
  /** Called with errors; the next update retries. */
  report: (error: unknown) => void;
}

/** Creates the check of alerts against snapshots of the market, which follows on from the one before it. */
export function createSnapshotCheck({ market, everyMs, ...parts }: CheckParts) {
  const { db } = parts;
  const tracker = createTracker({ past: createPastPrices(market), gap: Math.max(MINUTE, 3 * everyMs) });
  let savedAt = Number.NEGATIVE_INFINITY;

  async function save(): Promise<void> {
    savedAt = performance.now();
    await savePrices(db, tracker.rows());
  }

  return {
    /** Checks snapshots, oldest first. After an error, pass them again. */
    async check(snapshots: readonly MarketSnapshot[]): Promise<void> {
      const samplesOf = samplesByCoin(snapshots);
      const next = new Map<number, Tracked>();
      const momentsOf = new Map<number, readonly Moment[]>();
      for (const row of await readPrices(db)) {
        const followed = tracker.follow(row, samplesOf.get(row.coinId) ?? []);
        if (!followed) continue;
        next.set(row.coinId, followed.next);
        if (followed.moments.length > 0) momentsOf.set(row.coinId, followed.moments);
      }
      await checkAlerts(parts, momentsOf);
      tracker.keep(next);
      if (performance.now() - savedAt >= SAVE_INTERVAL) await save();
    },
    /** Stores how far coins are checked, for the next leader. */
    save,
    /** Call it when another process leads. */
    forget: tracker.forget,
  };
}

function samplesByCoin(snapshots: readonly MarketSnapshot[]): Map<number, Sample[]> {
  const samples = new Map<number, Sample[]>();
  for (const { source, coins } of snapshots) {
    const seen = { at: Date.parse(source.asOf), source: source.name };
    for (const coin of coins) {
      const sample = sampleOf(coin, seen);
      if (sample) samples.set(coin.id, [...(samples.get(coin.id) ?? []), sample]);
    }
  }
  return samples;
}
