import { useEffect, useSyncExternalStore } from 'react';
import type { CoinTick } from '#contract/market/coin-ticks.ts';
import type { MarketSource } from '#contract/market/market.ts';
import { createValue } from '../create-value.ts';
import type { UserTables } from '../db/user-db.ts';
import { useValue } from '../use-value.ts';

/**
 * The latest ticks of the coins on the screen, in memory. receive-ticks.ts fills it from the socket. All components read
 * prices here, so that a coin has one price everywhere.
 */
type Listener = (tick: CoinTick) => void;

const latest = new Map<number, CoinTick>();
const listeners = new Map<number, Set<Listener>>();

/** For rows that update their cells without React (client/coins/live-figures). */
export const ticks = {
  /** Returns the latest tick of a coin while it ticks. */
  latest: (id: number): CoinTick | undefined => latest.get(id),
  /** Calls `listener` with each tick of a coin; returns a function that stops it. */
  follow(id: number, listener: Listener): () => void {
    const others = listeners.get(id) ?? new Set();
    listeners.set(id, others.add(listener));
    return () => {
      others.delete(listener);
      if (others.size === 0) listeners.delete(id);
    };
  },
};

/** Returns the latest tick of a coin and rerenders at each tick. */
export const useTick = (id: number): CoinTick | undefined =>
  useSyncExternalStore(
    (changed) => ticks.follow(id, changed),
    () => latest.get(id),
  );

export function takeTick(tick: CoinTick): void {
  latest.set(tick.id, tick);
  for (const listener of listeners.get(tick.id) ?? []) listener(tick);
}

/** Forgets the ticks of all coins except `but`: the device may get newer figures for them. */
export function forgetTicks(but: ReadonlySet<number>): void {
  for (const id of latest.keys()) if (!but.has(id)) latest.delete(id);
}

/** Coins on the screen. */
export interface ShownCoins {
  /** Key of the resource that shows them. Saving ticks renews its stamp. */
  key: string;
  ids: readonly number[];
  /** Stores the source of the figures. Resolves with 0 if the resource is not on the device. */
  keep(db: UserTables, source: MarketSource): Promise<number>;
}

const shown = new Set<ShownCoins>();
let onShown = () => {};

export const shownCoins = (): ShownCoins[] => [...shown];

/** Calls `listener` whenever the coins on the screen change. There is one listener. */
export function whenShown(listener: () => void): void {
  onShown = listener;
}

/** Subscribes to ticks of these coins while the component is mounted. */
export function useShownCoins(coins: ShownCoins | undefined): void {
  const name = coins && `${coins.key} ${coins.ids.join()}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name identifies the coins, a new object on each render
  useEffect(() => {
    if (!coins) return;
    shown.add(coins);
    onShown();
    return () => {
      shown.delete(coins);
      onShown();
    };
  }, [name]);
}

/** While prices arrive over the socket, the other figures are refetched this often, ms. */
const INTERVAL_WITH_TICKS = 300_000;
const INTERVAL_WITHOUT_TICKS = 60_000;

/** Whether ticks arrive over the socket. */
const ticking = createValue(false);
export const setTicking = ticking.set;

/** Returns how often to refetch the figures on the screen, ms. */
export const useFiguresInterval = (): number => (useValue(ticking) ? INTERVAL_WITH_TICKS : INTERVAL_WITHOUT_TICKS);
