import { useEffect, useSyncExternalStore } from 'react';
import type { CoinTick, MarketSource } from '#contract/market/market.ts';
import { createValue } from '../create-value.ts';
import type { UserDb } from '../db/user-db.ts';
import { useValue } from '../use-value.ts';

/**
 * What moves of the coins on the screen, in memory. receive-ticks.ts brings it over the socket and takes it to the
 * device; whoever shows a coin reads it here, so that no two places show two prices.
 */
type Listener = (tick: CoinTick) => void;

const latest = new Map<number, CoinTick>();
const listeners = new Map<number, Set<Listener>>();

/** For rows that write their figures themselves (client/coins/live-figures). */
export const ticks = {
  /** What was told last of a coin, while it is told. */
  latest: (id: number): CoinTick | undefined => latest.get(id),
  /** Calls `listener` with each tick of a coin; returns how to stop. */
  follow(id: number, listener: Listener): () => void {
    const others = listeners.get(id) ?? new Set();
    listeners.set(id, others.add(listener));
    return () => {
      others.delete(listener);
      if (others.size === 0) listeners.delete(id);
    };
  },
};

/** The newest tick of one coin, drawn at each. */
export const useTick = (id: number): CoinTick | undefined =>
  useSyncExternalStore(
    (changed) => ticks.follow(id, changed),
    () => latest.get(id),
  );

export function takeTick(tick: CoinTick): void {
  latest.set(tick.id, tick);
  for (const listener of listeners.get(tick.id) ?? []) listener(tick);
}

/** Forgets what was told of all other coins: what the device says of them may get newer. */
export function forgetTicks(but: ReadonlySet<number>): void {
  for (const id of latest.keys()) if (!but.has(id)) latest.delete(id);
}

/** Coins that are on the screen. */
export interface ShownCoins {
  /** Of the resource that shows them: what is taken to the device renews its stamp. */
  key: string;
  ids: readonly number[];
  /** Stores whose figures they are; resolves with 0 where the resource is not on the device. */
  keep(db: UserDb, source: MarketSource): Promise<number>;
}

const shown = new Set<ShownCoins>();
let onShown = () => {};

export const shownCoins = (): ShownCoins[] => [...shown];

/** Calls `listener` whenever other coins are on the screen. There is one listener. */
export function whenShown(listener: () => void): void {
  onShown = listener;
}

/** Asks for ticks of these coins as long as they are shown. */
export function useShownCoins(coins: ShownCoins | undefined): void {
  const name = coins && `${coins.key} ${coins.ids.join()}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the coins, which are new at each render
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
