import { SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { CandleFeed } from './exchange.ts';

/** First and longest delay between attempts to load a candle that is due, ms. */
const RETRY = SECOND;
const MAX_RETRY = 15 * SECOND;
/** Longest timer, so that a changed clock is noticed, ms. */
const MAX_TIMER = 30 * SECOND;

interface Options {
  /** Length of the candles, ms. */
  interval: number;
  /** Start of the open candle, ms of the feed's time. */
  openSince: () => number;
  /** Time until the candle that opened at `begin` closes, ms of real time. */
  left: (begin: number) => number;
  /** Returns closed candles from the one that opened at `begin`, oldest first; it may return a part of them. */
  closedFrom: (begin: number) => Promise<readonly Candle[]>;
  /** Receives errors of listeners, and one error per outage. */
  report: (error: unknown) => void;
}

export interface CloseAnnouncer extends Pick<CandleFeed, 'onClose'> {
  /** Stops the timer and removes all listeners. */
  close(): void;
}

/** Creates the announcer, which calls listeners for each candle that closes. Its timer runs only while there are listeners. */
export function createCloseAnnouncer({ interval, openSince, left, closedFrom, report }: Options): CloseAnnouncer {
  const listeners = new Set<(candle: Candle) => void | Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isAnnouncing = false;
  let failures = 0;
  /** Start of the next candle to announce. */
  let next = 0;

  async function callListeners(candle: Candle): Promise<void> {
    for (const listener of listeners) {
      try {
        await listener(candle);
      } catch (error) {
        report(error);
      }
    }
  }

  async function announce(): Promise<void> {
    isAnnouncing = true;
    try {
      while (listeners.size > 0 && next < openSince()) {
        const closed = await closedFrom(next);
        if (closed.length === 0) break;
        for (const candle of closed) {
          await callListeners(candle);
          next = candle.time + interval;
        }
      }
      failures = next < openSince() ? failures + 1 : 0;
    } catch (error) {
      if (failures++ === 0) report(error);
    }
    isAnnouncing = false;
    scheduleNext();
  }

  function scheduleNext(): void {
    clearTimeout(timer);
    if (listeners.size === 0 || isAnnouncing) return;
    const due = left(next);
    const delay = due > 0 ? Math.min(due, MAX_TIMER) : Math.min(RETRY * (2 ** failures - 1), MAX_RETRY);
    timer = setTimeout(announce, delay);
  }

  return {
    onClose(listener) {
      if (listeners.size === 0 && !isAnnouncing) next = openSince();
      listeners.add(listener);
      scheduleNext();
      return () => {
        listeners.delete(listener);
        scheduleNext();
      };
    },
    close() {
      listeners.clear();
      clearTimeout(timer);
    },
  };
}
