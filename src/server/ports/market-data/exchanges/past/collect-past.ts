import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, HOUR, SECOND } from '#domain/clock.ts';
import type { CoinHistory } from '#server/ports/market-data/coin-candles.ts';
import { type Held, lastGood, type Origin } from '#server/ports/market-data/last-good.ts';
import { closesOf, type PastKind, type PastPrices } from './past-prices.ts';

/** Coins whose past prices are collected: the largest ones. */
const MAX_COINS = 200;
/** Pause after a series that an exchange was asked for, ms: what this leaves of the budgets is for charts. */
const PACE = 2 * SECOND;
/** How long an answer waits for what is kept already, ms. */
const WAIT = 2 * SECOND;
/** Series that are read before a new answer while prices are collected. */
const SERIES_PER_ANSWER = 7;
/** Failures in a row that end a collection. */
const MAX_FAILURES = 5;

/** Past prices of all coins, as JSON. */
export interface StoredPast {
  coins: readonly (readonly [id: number, past: PastPrices])[];
}

export interface CollectOptions {
  history: CoinHistory;
  /** Returns the ids of coins, the largest first. */
  ids: () => Promise<readonly number[]>;
  clock: Clock;
  /** ms; tests shorten it. */
  pace?: number | undefined;
}

/** Collects the past prices of the largest coins once an hour, a coin at a time, from the candles that charts show. */
export function collectPast({ history, ids, clock, pace = PACE }: CollectOptions): Origin<Held<StoredPast>> {
  const closes = { hours: new Map<number, PastPrices['hours']>(), days: new Map<number, PastPrices['days']>() };
  let collecting: Promise<void> | undefined;
  /** The hour whose prices are complete. */
  let complete = Number.NaN;

  const hourOf = (time: number): number => Math.floor(time / HOUR);

  /** Returns whether the exchanges answered. */
  async function collectKind(kind: PastKind, wanted: readonly number[]): Promise<boolean> {
    let failures = 0;
    for (const id of wanted) {
      const began = clock();
      const kept = await history[kind](id).catch(() => null);
      failures = kept === null || kept?.stale ? failures + 1 : 0;
      if (failures >= MAX_FAILURES) return false;
      if (kept) closes[kind].set(id, closesOf(kept, kind, kept.asOf));
      if (!kept || kept.asOf >= began) await pause(pace, undefined, { ref: false });
    }
    return true;
  }

  async function collect(): Promise<void> {
    const hour = hourOf(clock());
    const wanted = (await ids()).slice(0, MAX_COINS);
    for (const kind of ['hours', 'days'] as const) {
      if (!(await collectKind(kind, wanted))) return;
    }
    for (const map of Object.values(closes)) {
      for (const id of map.keys()) if (!wanted.includes(id)) map.delete(id);
    }
    complete = hour;
  }

  async function ask(): Promise<StoredPast> {
    collecting ??= collect()
      .catch(() => undefined)
      .finally(() => {
        collecting = undefined;
      });
    await Promise.race([collecting, pause(WAIT, undefined, { ref: false })]);
    const none = { time: 0, prices: [] };
    return { coins: [...closes.hours].map(([id, hours]) => [id, { hours, days: closes.days.get(id) ?? none }]) };
  }

  const lifetime = (_: StoredPast, asked: number): number =>
    complete === hourOf(asked) ? HOUR - (asked % HOUR) : SERIES_PER_ANSWER * pace;

  return lastGood({ ask, lifetime, clock, onFailure: () => undefined });
}
