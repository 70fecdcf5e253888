import type { Clock } from '#domain/clock.ts';
import { feedTime } from '../clock-time.ts';
import { type CloseAnnouncer, createCloseAnnouncer } from '../close-announcer.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import type { Anchor } from './current-feed.ts';
import { HISTORY_NAME, readHistory } from './history.ts';
import { BASE, createTimeline } from './replay-timeline.ts';

interface Options {
  anchor: Anchor & { epoch: number };
  clock: Clock;
  /** Length of the candles, ms; a multiple of five minutes. */
  interval: number;
  /** Receives errors of listeners, which do not stop other listeners or candles. */
  report: (error: unknown) => void;
}

export type ReplayFeed = SimulatedFeed & CloseAnnouncer;

const iso = (time: number): string => new Date(time).toISOString();

/** Creates a feed that replays real history as if it happened now. */
export function createReplayFeed({ anchor, clock, interval, report }: Options): ReplayFeed {
  const history = readHistory();
  const timeline = createTimeline(history, anchor.firstCandle);

  const now = (): number => feedTime(anchor, clock());
  const begin = (length: number): number => Math.floor(now() / length) * length;

  const announcer = createCloseAnnouncer({
    interval,
    openSince: () => begin(interval),
    left: (begun) => Math.ceil((begun + interval - now()) / anchor.speed),
    closedFrom: async (begun) => [timeline.candle(begun, interval)],
    report,
  });

  return {
    source: HISTORY_NAME,
    interval,
    speed: anchor.speed,
    epoch: anchor.epoch,
    replay: () => ({ from: iso(history[0]?.time ?? 0), to: iso((history.at(-1)?.time ?? 0) + BASE), at: iso(timeline.originOf(now())) }),
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
    ...announcer,
  };
}
