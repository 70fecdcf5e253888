import { liquidationTick } from './margin.ts';
import type { BookState, Resting } from './types.ts';

/** An event that a price triggers. `at` is its price in ticks, before slippage. */
export type Trigger = { at: number } & ({ kind: 'liquidation' | 'stop' | 'target' } | { kind: 'order'; order: Resting });

/**
 * Returns the first event on the straight path between two ticks. A level that the start has already passed triggers at the start.
 * Of two events at one price, the worse one for the holder comes first.
 */
export function firstTrigger({ position, orders, rules }: BookState, from: number, to: number): Trigger | undefined {
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  let first: Trigger | undefined;
  let distance = Number.POSITIVE_INFINITY;

  /** @param falling whether the price must fall to the level. Returns undefined if it does not reach it. */
  function reached(level: number, falling: boolean): number | undefined {
    if (falling ? low > level : high < level) return undefined;
    const at = falling ? Math.min(level, from) : Math.max(level, from);
    const away = Math.abs(at - from);
    if (away >= distance) return undefined;
    distance = away;
    return at;
  }

  if (position) {
    const long = position.side === 'long';
    const losing = [
      { kind: 'liquidation', level: liquidationTick(position, rules) },
      { kind: 'stop', level: position.stop },
    ] as const;
    for (const { kind, level } of losing) {
      const at = level === null ? undefined : reached(level, long);
      if (at !== undefined) first = { kind, at };
    }
    const at = position.target === null ? undefined : reached(position.target, !long);
    if (at !== undefined) first = { kind: 'target', at };
  }
  for (const order of orders) {
    const at = reached(order.level, (order.direction === 'buy') === (order.type === 'limit'));
    if (at !== undefined) first = { kind: 'order', order, at };
  }
  return first;
}

/**
 * Returns the ticks that the price visits after the open, in the worst order for the holder; for an entry order, in the worst order
 * after the entry. A candle that moves straight from one extreme to the other has only one path.
 */
export function worstWay({ position, orders }: BookState, { open, low, high, close }: Ticks): readonly number[] {
  if ((open === low && close === high) || (open === high && close === low)) return [close];
  const lowFirst = position ? position.side === 'long' : orders[0]?.direction === 'sell';
  return lowFirst ? [low, high, close] : [high, low, close];
}

/** Prices of a stretch, in ticks. */
type Ticks = Record<'open' | 'low' | 'high' | 'close', number>;
