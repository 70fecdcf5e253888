import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import type { PublicMarket } from '#server/ports/exchange/public-market.ts';
import type { Stretch } from '#server/strategy/matching/types.ts';

/** How far back the path has minutes, and how far back it has hours; ms. */
const MINUTES_BACK = 7 * DAY;
const HOURS_BACK = 365 * DAY;
/** Maximum number of cached pieces, and how many remain after an eviction. */
const MAX_PIECES = 30_000;
const KEPT_PIECES = 20_000;

const floor = (time: number, length: number): number => Math.floor(time / length) * length;

/**
 * Creates the path of the mark price: final minutes, and hours where it is older than a week. Each process loads the same candles, so
 * all of them advance an account alike.
 */
export function createMarkPath({ finalTo, marks }: Pick<PublicMarket, 'finalTo' | 'marks'>) {
  let pieces: Candle[] = [];
  /** The path is known in [start, end). */
  let start = 0;
  let end = 0;
  let working: Promise<unknown> = Promise.resolve();

  async function between(from: number, to: number): Promise<Candle[]> {
    const fine = Math.max(from, floor(to - MINUTES_BACK, HOUR));
    const hours = from < fine ? await marks(HOUR, from, fine) : [];
    const minutes = fine < to ? await marks(MINUTE, fine, to) : [];
    return [...hours, ...minutes];
  }

  async function extend(from: number): Promise<void> {
    const to = finalTo(MINUTE);
    const first = Math.max(floor(Math.min(from, to), HOUR), floor(to - HOURS_BACK, HOUR));
    if (pieces.length === 0 || to - end > MINUTES_BACK || first < start) {
      const loaded = await between(first, to);
      pieces = loaded;
      start = first;
      end = first;
    } else if (end < to) {
      // From the last known minute, so that a gap behind it is filled.
      const loaded = await between(end - MINUTE, to);
      pieces.push(...loaded.filter(({ time }) => time >= end));
    }
    end = Math.max(end, (pieces.at(-1)?.time ?? first - MINUTE) + MINUTE);
    if (pieces.length > MAX_PIECES) {
      pieces = pieces.slice(-KEPT_PIECES);
      start = pieces[0]?.time ?? end;
    }
    if (end < to - MINUTE) throw new ExchangeError('unavailable', 'The exchange has not sent its latest mark prices.');
  }

  return {
    /** Up to when the path is known, ms. */
    end: (): number => end,

    /** Loads the path from `from`, at most a year back, to the last final minute. One call at a time. */
    load(from: number): Promise<void> {
      const work = working.catch(() => undefined).then(() => extend(from));
      working = work;
      return work;
    },

    /** Returns the pieces between two times. Of a piece that `from` cuts, only the close is known to be later. */
    way(from: number, to: number): Stretch[] {
      const found: Stretch[] = [];
      let over = end;
      for (let index = pieces.length - 1; index >= 0 && over > from; index--) {
        const piece = pieces[index];
        if (!piece) break;
        const { time, open, high, low, close } = piece;
        over = time;
        if (time >= to) continue;
        found.push(time < from ? { time, open: close, high: close, low: close, close } : { time, open, high, low, close });
      }
      return found.reverse();
    },
  };
}
