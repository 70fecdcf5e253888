import { useEffect, useSyncExternalStore } from 'react';
import type { CoinTick, MarketSource } from '#contract/market/market.ts';
import type { UserDb } from '../db/user-db.ts';

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

let ticking = false;
const tickingListeners = new Set<() => void>();

export function setTicking(now: boolean): void {
  if (now === ticking) return;
  ticking = now;
  for (const listener of tickingListeners) listener();
}

/** While prices come by themselves, the rest of the figures is asked for this often, ms; and without them, all. */
const BESIDE_TICKS = 300_000;
const WITHOUT_TICKS = 60_000;

function subscribeTicking(listener: () => void) {
  tickingListeners.add(listener);
  return () => {
    tickingListeners.delete(listener);
  };
}

/** How often shown figures are asked for again, ms. */
export const useFiguresInterval = (): number => useSyncExternalStore(subscribeTicking, () => (ticking ? BESIDE_TICKS : WITHOUT_TICKS));
