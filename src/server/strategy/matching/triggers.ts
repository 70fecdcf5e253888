import { liquidationTick } from './margin.ts';
import type { BookState, Resting } from './types.ts';

/** What a price sets off. `at`: the price it happens at, in ticks, before slippage. */
export type Trigger = { at: number } & ({ kind: 'liquidation' | 'stop' | 'target' } | { kind: 'order'; order: Resting });

/**
 * The first thing that price sets off on its straight way from one tick to another, or none. What is passed already
 * when it starts happens there, a stop for worse and a limit for better. Of two at one price, that which is worse for
 * the holder comes first.
 */
export function firstTrigger({ position, orders, rules }: BookState, from: number, to: number): Trigger | undefined {
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  let first: Trigger | undefined;
  let distance = Number.POSITIVE_INFINITY;

  /** `falling`: price has to come down to the level. Undefined: it was not reached. */
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
 * The ticks that price visits after the opening one. Against the holder first; while there is only an order to enter
 * with, so that the way after the entry is the worse one. From one end to the other there is but one way.
 */
export function worstWay({ position, orders }: BookState, { open, low, high, close }: Ticks): readonly number[] {
  if ((open === low && close === high) || (open === high && close === low)) return [close];
  const lowFirst = position ? position.side === 'long' : orders[0]?.direction === 'sell';
  return lowFirst ? [low, high, close] : [high, low, close];
}

/** A stretch, in ticks. */
type Ticks = Record<'open' | 'low' | 'high' | 'close', number>;
