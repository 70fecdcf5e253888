import { randomUUID } from 'node:crypto';
import { MAX_FIRINGS } from '#contract/alerts/alert-limits.ts';
import type { Clock } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { NotifyAll } from '#server/modules/notifications/service.ts';
import type { AlertRow, FiringRow } from '../store.ts';
import { thresholdOfRow, triggerOf, type WatchRow } from '../watches.ts';
import { changeWatches, lockWatches, storeFirings, type WatchKey } from './check-store.ts';
import { firingText } from './firing-text.ts';
import { judge, type Shot } from './judge.ts';
import type { Moment } from './moments.ts';

interface Settlement {
  db: Db;
  clock: Clock;
  notifyAll: NotifyAll;
  /** What happened to each coin. */
  momentsOf: ReadonlyMap<number, readonly Moment[]>;
}

/**
 * Applies moments to watches: states, firings and notifications in one transaction, so that each crossing fires once, also after a crash or in
 * two processes. Returns how many watches changed.
 */
export async function settle({ db, clock, notifyAll, momentsOf }: Settlement, keys: readonly WatchKey[]): Promise<number> {
  const { changed, push } = await db.transaction(async (tx) => {
    const watches: WatchRow[] = [];
    const firings: FiringRow[] = [];
    for (const { watch, alert } of await lockWatches(tx, keys)) {
      const threshold = thresholdOfRow(alert);
      const { state, since, coinId } = watch;
      const expiresAt = alert.expiresAt?.getTime() ?? null;
      const watched = { threshold, state, since: since.getTime(), rearms: alert.rearms, expiresAt };
      const verdict = judge(watched, momentsOf.get(coinId) ?? []);
      if (!verdict) continue;
      watches.push({ ...watch, ...triggerOf(threshold, verdict.state), since: new Date(verdict.since) });
      const coin = nameOf(alert, coinId, momentsOf);
      for (const shot of verdict.shots) firings.push(firingOf({ alert, shot, coin, createdAt: new Date(clock()) }));
    }
    await changeWatches(tx, watches);
    await storeFirings(tx, firings, MAX_FIRINGS);
    const notices = firings.map((firing) => {
      const link = `/crypto/details/${firing.coinId}?alert=${firing.id}`;
      return { userId: firing.userId, kind: 'alert' as const, text: firingText(firing), link };
    });
    return { changed: watches.length, push: await notifyAll(tx, notices) };
  });
  push();
  return changed;
}

interface Coin {
  id: number;
  name: string;
  symbol: string;
}

/** The names that the alert was made with; for the whole watchlist, the market's. */
function nameOf({ coinName: name, coinSymbol: symbol, coinId }: AlertRow, id: number, momentsOf: Settlement['momentsOf']): Coin {
  return coinId === null ? { id, name: '', symbol: '', ...momentsOf.get(id)?.at(-1)?.coin } : { id, name, symbol };
}

function firingOf({ alert, shot, coin, createdAt }: { alert: AlertRow; shot: Shot; coin: Coin; createdAt: Date }): FiringRow {
  const { userId, id: alertId, kind, level, period, levelName, note } = alert;
  const { value, moment } = shot;
  const price = period === null ? value : moment.priceAt(period, value);
  const change = period === null ? null : value;
  const named = { coinId: coin.id, coinName: coin.name, coinSymbol: coin.symbol };
  const what = { kind, level, period, levelName, note, price, change, source: moment.source, at: new Date(moment.to) };
  return { userId, id: randomUUID(), alertId, ...named, ...what, createdAt };
}
