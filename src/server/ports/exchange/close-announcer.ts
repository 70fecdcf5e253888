import { SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { CandleFeed } from './exchange.ts';

/** It is looked again for a candle that is due after the first of these, and at last after the second, ms. */
const RETRY = SECOND;
const LAST_RETRY = 15 * SECOND;
/** The longest wait, so that a clock that was set is noticed, ms. */
const LONGEST_WAIT = 30 * SECOND;

interface Options {
  /** Length of the candles, ms. */
  interval: number;
  /** Begin of the open candle, ms of the feed's time. */
  openSince: () => number;
  /** How long until the candle that began then is over, ms of life. */
  left: (begin: number) => number;
  /** Candles that are over, from the one that began then, oldest first; not all of them need be told at once. */
  closedFrom: (begin: number) => Promise<readonly Candle[]>;
  /** Told of listeners that fail, and once of each time in which the candles are out of reach. */
  report: (error: unknown) => void;
}

export interface CloseAnnouncer extends Pick<CandleFeed, 'onClose'> {
  /** Ends its timer; nobody is told anything any more. */
  close(): void;
}

/** Tells of candles as they close, by a timer that only runs while somebody listens. */
export function createCloseAnnouncer({ interval, openSince, left, closedFrom, report }: Options): CloseAnnouncer {
  const listeners = new Set<(candle: Candle) => void | Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let telling = false;
  let failures = 0;
  /** Begin of the candle that is told of next. */
  let next = 0;

  async function tellAll(candle: Candle): Promise<void> {
    for (const listener of listeners) {
      try {
        await listener(candle);
      } catch (error) {
        report(error);
      }
    }
  }

  async function tell(): Promise<void> {
    telling = true;
    try {
      while (listeners.size > 0 && next < openSince()) {
        const closed = await closedFrom(next);
        if (closed.length === 0) break;
        for (const candle of closed) {
          await tellAll(candle);
          next = candle.time + interval;
        }
      }
      failures = next < openSince() ? failures + 1 : 0;
    } catch (error) {
      if (failures++ === 0) report(error);
    }
    telling = false;
    wait();
  }

  function wait(): void {
    clearTimeout(timer);
    if (listeners.size === 0 || telling) return;
    const due = left(next);
    const delay = due > 0 ? Math.min(due, LONGEST_WAIT) : Math.min(RETRY * (2 ** failures - 1), LAST_RETRY);
    timer = setTimeout(tell, delay);
  }

  return {
    onClose(listener) {
      if (listeners.size === 0 && !telling) next = openSince();
      listeners.add(listener);
      wait();
      return () => {
        listeners.delete(listener);
        wait();
      };
    },
    close() {
      listeners.clear();
      clearTimeout(timer);
    },
  };
}
