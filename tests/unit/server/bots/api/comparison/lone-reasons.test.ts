import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ComparableTrade } from '#domain/bots/compare-trades.ts';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { createLoneReasons } from '#server/bots/api/comparison/lone-reasons.ts';

type Evidence = Parameters<typeof createLoneReasons>[0];
type Event = Evidence['events'][number];

/** The candle of the trade that one of the two lacks. */
const CANDLE = 100 * HOUR;
const CLOSED = CANDLE + HOUR;

const trade: ComparableTrade = {
  ...{ candle: CANDLE, side: 'long', quantity: 0.01, entryPrice: 60_000, exitPrice: 61_000, reason: 'target' },
  ...{ openedAt: CLOSED, closedAt: CLOSED + 5 * HOUR, pnl: 9, fees: 1, funding: 0 },
};
const position = (candle: number, closedAt: number | null, side: 'long' | 'short' = 'long') => ({
  ...{ candle, side, openedAt: candle + HOUR, closedAt },
});
const event = (kind: string, at: number, more: Partial<Event> = {}): Event => ({
  ...{ id: randomUUID(), botId: randomUUID(), actor: 'engine', kind, text: `Text of ${kind}.`, key: null, createdAt: new Date(at) },
  ...more,
});

const reasonsOf = (changes: Partial<Evidence>) =>
  createLoneReasons({
    ...{ botPositions: [], backtestPositions: [], stoppedAt: null, events: [], interval: HOUR },
    feedClock: { since: 0, toFeed: (at) => at, toClock: (at) => at },
    ...changes,
  });

test.each([
  ['an open position of the same signal', { botPositions: [position(CANDLE, null)] }, 'open'],
  ['another position', { botPositions: [position(CANDLE - HOUR, CLOSED + MINUTE, 'short')] }, 'held'],
  ['no position that closed with the candle', { botPositions: [position(CANDLE - HOUR, CLOSED)] }, 'missed'],
  ['no later position', { botPositions: [position(CANDLE + HOUR, null)] }, 'missed'],
  ['a pause', { events: [event('paused', CLOSED)] }, 'paused'],
  ['a pause that has ended', { events: [event('resumed', CLOSED - 1), event('paused', CLOSED - 2)] }, 'missed'],
  ['a halt', { events: [event('halted', CLOSED - 1)] }, 'paused'],
  ['a stop', { events: [event('stopped', CLOSED - 1)] }, 'stopped'],
  ['its loss limit', { events: [event('loss-limit', CLOSED - 1)] }, 'stopped'],
  ['an error', { events: [event('error', CLOSED - 1)] }, 'error'],
  ['a refused key', { events: [event('key-refused', CLOSED + MINUTE)] }, 'error'],
  ['a silent exchange', { events: [event('silent', CLOSED + MINUTE)] }, 'offline'],
  ['a silence after the next candle', { events: [event('silent', CLOSED + HOUR)] }, 'missed'],
  ['a skipped entry', { events: [event('passed', CLOSED + 1, { key: `passed:${CANDLE}` })] }, 'refused'],
  ['a refused order', { events: [event('refused', CLOSED + 1, { key: `refused:${CANDLE}` })] }, 'refused'],
  ['a skipped entry of another candle', { events: [event('passed', CLOSED + 1, { key: 'passed:0' })] }, 'missed'],
] as const)('the bot lacks a trade because of %s', (_, changes, cause) => {
  expect(reasonsOf(changes)(trade, 'bot').cause).toBe(cause);
});

test.each([
  ['its position is still open', { backtestPositions: [position(CANDLE, null)] }, 'open', /still open/],
  ['it held another position', { backtestPositions: [position(CANDLE - HOUR, null, 'short')] }, 'extra', /held a short position/],
  ['it had stopped', { stoppedAt: new Date(CLOSED).toISOString() }, 'extra', /loss limit/],
  ['it entered nothing', { stoppedAt: new Date(CLOSED + 1).toISOString() }, 'extra', /entered no position/],
] as const)('the backtest lacks a trade because %s', (_, changes, cause, text) => {
  expect(reasonsOf(changes)(trade, 'backtest')).toMatchObject({ cause, text: expect.stringMatching(text) });
});
