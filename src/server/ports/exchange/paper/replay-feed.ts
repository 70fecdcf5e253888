import type { Candle } from '../../../../domain/candles';
import type { Clock } from '../../../../domain/clock';
import type { Db } from '../../../db/open';
import { HISTORY_NAME, readHistory } from './history';
import type { PaperFeed } from './paper-feed';
import { feedTime, readAnchor } from './replay-anchor';
import { createTimeline } from './replay-timeline';

/** The longest that a timer can wait, ms. */
const LONGEST_WAIT = 2 ** 31 - 1;

interface Options {
  db: Db;
  clock: Clock;
  /** Length of the candles, ms; a multiple of five minutes. */
  interval: number;
  /** How much faster than life. */
  speed: number;
  /** Told of listeners that fail; the next one and the next candle are told all the same. */
  report: (error: unknown) => void;
}

export interface ReplayFeed extends PaperFeed {
  /** Ends its timer; nobody is told anything any more. */
  close(): void;
}

/** Real history, played as if it happened now. */
export async function createReplayFeed({ db, clock, interval, speed, report }: Options): Promise<ReplayFeed> {
  const history = readHistory();
  const anchor = await readAnchor(db, { now: clock(), speed, historyStart: history[0]?.time ?? 0 });
  const timeline = createTimeline(history, anchor.firstCandle);
  const listeners = new Set<(candle: Candle) => void | Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let telling = false;
  /** Begin of the candle that is told of next, ms of the feed's time. */
  let next = 0;

  const now = (): number => feedTime(anchor, clock());
  const begin = (length: number): number => Math.floor(now() / length) * length;

  async function tell(): Promise<void> {
    telling = true;
    for (; listeners.size > 0 && next + interval <= now(); next += interval) {
      const candle = timeline.candle(next, interval);
      for (const listener of listeners) {
        try {
          await listener(candle);
        } catch (error) {
          report(error);
        }
      }
    }
    telling = false;
    wait();
  }

  function wait(): void {
    clearTimeout(timer);
    if (listeners.size === 0 || telling) return;
    const left = Math.ceil((next + interval - now()) / anchor.speed);
    timer = setTimeout(tell, Math.min(Math.max(left, 1), LONGEST_WAIT));
  }

  return {
    source: HISTORY_NAME,
    interval,
    speed: anchor.speed,
    now,
    priceAt: timeline.priceAt,
    way: timeline.way,
    async closed(count) {
      const end = begin(interval);
      return Array.from({ length: count }, (_, index) => timeline.candle(end - (count - index) * interval, interval));
    },
    forming: async () => timeline.soFar(begin(interval), now()),
    async candles(length, count) {
      const open = begin(length);
      const over = Array.from({ length: count - 1 }, (_, index) => timeline.candle(open - (count - 1 - index) * length, length));
      return [...over, timeline.soFar(open, now())];
    },
    onClose(listener) {
      if (listeners.size === 0 && !telling) next = begin(interval);
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
