import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { explainCandles, MAX_CANDLES } from '#server/bots/api/candle-decisions.ts';
import type { EventRow } from '#server/bots/store/events.ts';
import type { FoundSignal } from '#server/bots/store/latest-signals.ts';

const T0 = Date.UTC(2026, 0, 1);
const at = (hour: number) => new Date(T0 + hour * HOUR);
/** The signal of the candle that closes at an hour. */
const signal = (hour: number, changes: Partial<FoundSignal> = {}): FoundSignal => ({
  candle: T0 + (hour - 1) * HOUR,
  createdAt: at(hour),
  close: 60_000,
  hasEntry: false,
  noEntry: { rule: 'no-level', side: 'long', level: null, distance: null },
  ...changes,
});
const withEntry = { hasEntry: true, noEntry: null };
const event = (hour: number, kind: string, changes: Partial<EventRow> = {}): EventRow => ({
  id: `${kind}-${hour}`,
  botId: 'bot-1',
  actor: 'engine',
  kind,
  text: `Text of ${kind}.`,
  key: null,
  createdAt: at(hour),
  ...changes,
});
const explain = (changes: Partial<Parameters<typeof explainCandles>[0]>) =>
  explainCandles({
    ...{ signals: [], trades: [], entryCandles: new Map(), events: [], since: at(0), interval: HOUR, speed: 1 },
    now: (changes.signals?.[0]?.createdAt.getTime() ?? T0) + MINUTE,
    ...changes,
  });
const kinds = (changes: Parameters<typeof explain>[0]) => explain(changes).map(({ kind }) => kind);

describe('the decisions of candles', () => {
  it('shows candles that the server has not seen, between others and up to now', () => {
    const shown = explain({ signals: [signal(5), signal(2)], now: at(7).getTime() + 40 * MINUTE });
    expect(shown.map(({ at, kind }) => [at, kind])).toEqual([
      [at(7).toISOString(), 'missing'],
      [at(6).toISOString(), 'missing'],
      [at(5).toISOString(), 'no-level'],
      [at(4).toISOString(), 'missing'],
      [at(3).toISOString(), 'missing'],
      [at(2).toISOString(), 'no-level'],
    ]);
  });

  it('begins with the bot, and has a limit', () => {
    expect(kinds({ signals: [signal(3), signal(2), signal(1)], since: at(2) })).toHaveLength(2);
    const signals = Array.from({ length: 100 }, (_, index) => signal(100 - index));
    expect(kinds({ signals })).toHaveLength(MAX_CANDLES);
    expect(kinds({ signals: [signal(5000), signal(1)] })).toHaveLength(MAX_CANDLES);
  });

  it('names the candle of an entry, then the position until it closes', () => {
    const trade = { entryId: 'entry', side: 'long', openedAt: at(1.99), closedAt: at(3.5) } as const;
    const signals = [signal(4), signal(3, withEntry), signal(2, withEntry), signal(1)];
    const entryCandles = new Map([['entry', T0 + HOUR]]);
    expect(kinds({ signals, trades: [trade], entryCandles })).toEqual(['no-level', 'position', 'entered', 'no-level']);
    expect(kinds({ signals, trades: [{ ...trade, closedAt: null }] })).toEqual(['position', 'position', 'position', 'no-level']);
  });

  it.each<[string, EventRow[], string]>([
    ['a pause by the user', [event(1, 'paused', { actor: 'user' })], 'off: You had paused entries.'],
    ['a pause by a guard', [event(1, 'paused')], 'off: Text of paused.'],
    ['the setup', [event(1, 'created')], 'off: The bot was not set up yet.'],
    ['a stop', [event(1, 'stopped'), event(0, 'running')], 'off: The bot was stopped.'],
    ['a stop right after the candle', [event(2.01, 'stopping'), event(0, 'running')], 'off: The bot was stopped.'],
    ['a key that the exchange refuses', [event(2.1, 'key-refused'), event(0, 'running')], 'off: Text of key-refused.'],
    [
      'nothing, after a pause that was over',
      [event(1.5, 'resumed'), event(1, 'paused')],
      'missing: The bot did not act on this candle in time.',
    ],
    ['a skipped entry', [event(2.1, 'passed', { key: `passed:${T0 + HOUR}` })], 'skipped: Text of passed.'],
  ])('explains an entry without a position by %s', (_, events, expected) => {
    expect(explain({ signals: [signal(2, withEntry)], events }).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([expected]);
  });
});
