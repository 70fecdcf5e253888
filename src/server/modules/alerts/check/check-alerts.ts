import type { Measure } from '#domain/alerts/rules.ts';
import type { Clock } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { NotifyAll } from '#server/modules/notifications/service.ts';
import { findReached, type Probe, type WatchKey } from './check-store.ts';
import type { Moment } from './moments.ts';
import { settle } from './settle.ts';

/** Watches that one transaction settles, and watches that are found for one move of a coin at once. */
const PORTION = 100;
const FOUND = 1000;

interface Parts {
  db: Db;
  clock: Clock;
  notifyAll: NotifyAll;
  /** Called with the error of a watch that could not be settled. */
  report: (error: unknown) => void;
}

/** Fires what the moments of coins reach. Its cost grows with the coins and with what they reach, not with the alerts that wait. */
export async function checkAlerts(parts: Parts, momentsOf: ReadonlyMap<number, readonly Moment[]>): Promise<void> {
  const probes = [...momentsOf].flatMap(([coinId, moments]) => probesOf(coinId, moments));
  if (probes.length === 0) return;
  const settlement = { ...parts, momentsOf };
  for (;;) {
    const found = await findReached(parts.db, probes, FOUND);
    let changed = 0;
    for (let at = 0; at < found.length; at += PORTION) changed += await settlePortion(settlement, found.slice(at, at + PORTION));
    if (found.length < FOUND || changed === 0) return;
  }
}

/** If one watch cannot be settled, the others still are. Throws if none can. */
async function settlePortion(settlement: Parameters<typeof settle>[0] & Pick<Parts, 'report'>, keys: readonly WatchKey[]): Promise<number> {
  try {
    return await settle(settlement, keys);
  } catch (error) {
    if (keys.length === 1) throw error;
    const results = [];
    for (const key of keys) results.push(await settle(settlement, [key]).catch((reason: unknown) => new Error('', { cause: reason })));
    if (results.every((result) => result instanceof Error)) throw error;
    settlement.report(error);
    return results.reduce((sum: number, result) => sum + (result instanceof Error ? 0 : result), 0);
  }
}

const MEASURES: readonly Measure[] = ['price', '1h', '24h', '7d'];

/** Returns how far a coin's measures went up and down. */
function probesOf(coinId: number, moments: readonly Moment[]): Probe[] {
  return MEASURES.flatMap((measure): Probe[] => {
    const looks = moments.flatMap(({ looks }) => looks[measure] ?? []);
    if (looks.length === 0) return [];
    return [
      { coinId, move: `${measure} up`, value: Math.max(...looks.map(({ high }) => high)) },
      { coinId, move: `${measure} down`, value: -Math.min(...looks.map(({ low }) => low)) },
    ];
  });
}
