import { expect, it } from 'vitest';
import { instrumentName, replayNote } from '#domain/bots/instrument.ts';

const replay = { from: '2025-03-06T10:30:00.000Z', to: '2025-04-13T07:15:00.000Z' };

it('calls a replay by its own name', () => {
  expect([{ speed: null }, { speed: 1 }, { speed: 60 }].map(instrumentName)).toEqual(['BTC', 'BTC replay', 'BTC replay']);
});

it('names the original dates, the pace and the place of a replay', () => {
  expect(replayNote({ speed: 60, replay: { ...replay, at: '2025-03-20T12:00:00.000Z' } })).toMatch(
    /^BTC replay repeats the real prices of Mar 6.{1,3}Apr 13, 2025, 60 times as fast, forward and backward\. It is at Mar 20, 2025\.$/,
  );
  expect(replayNote({ speed: 3600, replay })).toContain(', 3,600 times as fast,');
  expect(replayNote({ speed: 1, replay })).toMatch(
    /^BTC replay repeats the real prices of Mar 6.{1,3}Apr 13, 2025, forward and backward\.$/,
  );
});

it('says nothing about a real market, or a server that does not tell', () => {
  expect([replayNote({ speed: null, replay: null }), replayNote({ speed: 60 }), replayNote({ speed: null, replay })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
