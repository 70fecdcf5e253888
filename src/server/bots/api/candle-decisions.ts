import type { CandleDecision } from '#contract/bots/bot.ts';
import { noEntryText } from '#domain/bots/no-entry.ts';
import { findPassed } from '../messages/journal.ts';
import type { EventRow } from '../store/events.ts';
import type { FoundSignal } from '../store/latest-signals.ts';
import { idleReason } from './idle-reason.ts';

/** Candles in one report. */
export const MAX_CANDLES = 48;

/** An open or closed trade. */
interface Held {
  entryId: string;
  side: 'long' | 'short';
  openedAt: Date;
  closedAt: Date | null;
}

interface Evidence {
  /** Newest first. */
  signals: readonly FoundSignal[];
  trades: readonly Held[];
  /** The candle of each entry order. */
  entryCandles: ReadonlyMap<string, number>;
  /** The latest part of the journal, newest first. */
  events: readonly EventRow[];
  /** When the bot was created. */
  since: Date;
  /** ms of the server's clock. */
  now: number;
  /** Length of a candle, ms of the feed's time. */
  interval: number;
  /** Speed of the feed relative to the clock. */
  speed: number;
}

type Outcome = Pick<CandleDecision, 'kind' | 'text'>;

const DOWN: Outcome = {
  kind: 'missing',
  text: 'The server has no data for this candle: it was not running, or the exchange did not answer.',
};

/** Says for each of the latest candles what the bot did, or why it entered no position; newest first. */
export function explainCandles(evidence: Evidence): CandleDecision[] {
  const { signals, since, now, interval, speed } = evidence;
  const step = interval / speed;
  const cells: CandleDecision[] = [];
  /** Adds up to `count` candles without a signal. The newest of them closed at `at`. */
  const addMissing = (count: number, at: number) => {
    for (let index = 0; index < count && cells.length < MAX_CANDLES && at - index * step >= since.getTime(); index++)
      cells.push({ at: iso(at - index * step), price: null, ...DOWN });
  };
  const newest = signals[0]?.createdAt.getTime();
  if (newest !== undefined) {
    const late = Math.floor((now - newest) / step - 0.5);
    addMissing(late, newest + late * step);
  }
  for (const [index, signal] of signals.entries()) {
    const at = signal.createdAt.getTime();
    if (cells.length >= MAX_CANDLES || signal.createdAt < since) break;
    cells.push({ at: iso(at), price: signal.close, ...outcomeOf(signal, evidence) });
    const before = signals[index + 1];
    if (before) addMissing((signal.candle - before.candle) / interval - 1, at - step);
  }
  return cells;
}

const iso = (time: number): string => new Date(time).toISOString();

function outcomeOf(signal: FoundSignal, { trades, entryCandles, events, interval, speed }: Evidence): Outcome {
  const { candle, createdAt, hasEntry, noEntry } = signal;
  const entered = trades.find(({ entryId }) => entryCandles.get(entryId) === candle);
  if (entered) return { kind: 'entered', text: `The bot opened a ${entered.side} position.` };
  const held = trades.find(({ entryId, openedAt, closedAt }) => {
    const opened = entryCandles.get(entryId);
    const isBefore = opened === undefined ? openedAt < createdAt : opened < candle;
    return isBefore && (closedAt === null || closedAt > createdAt);
  });
  if (held) return { kind: 'position', text: `The bot held a ${held.side} position. It holds one at a time.` };
  if (!hasEntry) return noEntry ? { kind: noEntry.rule, text: noEntryText(noEntry) } : { kind: 'no-level', text: 'No entry.' };
  const told = findPassed(events, candle);
  if (told) return { kind: 'skipped', text: told.text };
  const idle = idleReason(createdAt.getTime(), interval / speed, events);
  return idle ? { kind: 'off', text: idle.text } : { kind: 'missing', text: 'The bot did not act on this candle in time.' };
}
