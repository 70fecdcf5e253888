import type { BacktestResult } from '#contract/bots/backtest.ts';
import type { ComparableTrade, LoneCause, LoneReason } from '#domain/bots/compare-trades.ts';
import { findPassed } from '#server/bots/messages/journal.ts';
import type { EventRow } from '#server/bots/store/events.ts';
import type { FeedClock } from '#server/bots/store/feed-clock.ts';
import { idleReason } from '../idle-reason.ts';

/** A position, closed or not. Times in ms of the feed's time. */
interface Held {
  candle: number;
  side: 'long' | 'short';
  openedAt: number;
  closedAt: number | null;
}

interface Evidence {
  /** The bot's compared trades, and its open position. */
  botPositions: readonly Held[];
  /** The same of the backtest. */
  backtestPositions: readonly Held[];
  /** When the loss limit stopped the backtest. */
  stoppedAt: BacktestResult['stopped_at'];
  /** Newest first. */
  events: readonly EventRow[];
  feedClock: FeedClock;
  /** Length of a candle, ms. */
  interval: number;
}

/** What a state or trouble in the journal counts as. */
const CAUSES: Record<string, LoneCause> = {
  created: 'stopped',
  started: 'stopped',
  stopping: 'stopped',
  stopped: 'stopped',
  'loss-limit': 'stopped',
  paused: 'paused',
  halted: 'paused',
  error: 'error',
  'key-refused': 'error',
  silent: 'offline',
};

const NOT_HANDLED = 'The bot did not act on this signal. The server was not running, or the exchange did not answer.';

/** Creates the function that says why the bot or its backtest lacks a trade of the other one. */
export function createLoneReasons({ botPositions, backtestPositions, stoppedAt, events, feedClock, interval }: Evidence) {
  const isSame = (trade: ComparableTrade) => (one: Held) => one.candle === trade.candle && one.side === trade.side;
  /** Finds the position that was open when the trade's signal came. */
  const heldAt = (positions: readonly Held[], { candle }: ComparableTrade) =>
    positions.find((one) => one.candle < candle && (one.closedAt === null || one.closedAt > candle + interval));

  function whyBotLacks(trade: ComparableTrade): LoneReason {
    if (botPositions.some(isSame(trade))) return { cause: 'open', text: "The bot's position is still open." };
    const held = heldAt(botPositions, trade);
    if (held) return { cause: 'held', text: `The bot held a ${held.side} position. It holds one at a time.` };
    const at = feedClock.toClock(trade.candle + interval);
    const idle = idleReason(at, feedClock.toClock(trade.candle + 2 * interval) - at, events);
    const told = findPassed(events, trade.candle);
    if (idle) return { cause: CAUSES[idle.kind] ?? 'missed', text: told?.text ?? idle.text };
    return told ? { cause: 'refused', text: told.text } : { cause: 'missed', text: NOT_HANDLED };
  }

  function whyBacktestLacks(trade: ComparableTrade): LoneReason {
    if (backtestPositions.some(isSame(trade))) return { cause: 'open', text: "The backtest's position is still open." };
    const held = heldAt(backtestPositions, trade);
    if (held) return { cause: 'extra', text: `The backtest held a ${held.side} position. It holds one at a time.` };
    if (stoppedAt !== null && Date.parse(stoppedAt) <= trade.candle + interval)
      return { cause: 'extra', text: 'The backtest had stopped at the loss limit.' };
    return { cause: 'extra', text: 'The backtest entered no position at this signal.' };
  }

  return (trade: ComparableTrade, lacking: 'bot' | 'backtest'): LoneReason =>
    lacking === 'bot' ? whyBotLacks(trade) : whyBacktestLacks(trade);
}
