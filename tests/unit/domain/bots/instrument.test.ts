import { expect, it } from 'vitest';
import { clockName, instrumentName, pricesNote, stalePricesMessage } from '#domain/bots/instrument.ts';

const replay = { from: '2025-03-06T10:30:00.000Z', to: '2025-04-13T07:15:00.000Z' };

it('calls a replay by its own name', () => {
  expect([{ speed: null }, { speed: 1 }, { speed: 60 }].map(instrumentName)).toEqual(['BTC', 'BTC replay', 'BTC replay']);
  expect([{ speed: null }, { speed: 60 }].map(clockName)).toEqual(['UTC', 'replay time']);
});

it('names the original dates, the pace and the place of a replay', () => {
  expect(pricesNote({ speed: 60, replay: { ...replay, at: '2025-03-20T12:00:00.000Z' } })).toMatch(
    /^BTC replay repeats the real prices of Mar 6.{1,3}Apr 13, 2025, 60 times as fast, forward and backward\. It is at Mar 20, 2025\.$/,
  );
  expect(pricesNote({ speed: 3600, replay })).toContain(', 3,600 times as fast,');
  expect(pricesNote({ speed: 1, replay })).toMatch(
    /^BTC replay repeats the real prices of Mar 6.{1,3}Apr 13, 2025, forward and backward\.$/,
  );
});

it('says nothing about a real market, or a server that does not tell', () => {
  expect([pricesNote({ speed: null, replay: null }), pricesNote({ speed: 60 }), pricesNote({ speed: null, replay })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('names live prices, and since when they have stopped', () => {
  const live = { source: 'Bybit BTCUSDT perpetual', stale_since: null };
  expect(pricesNote({ speed: null, live })).toBe('Paper money follows live prices: Bybit BTCUSDT perpetual.');
  expect(stalePricesMessage({ live })).toBeUndefined();
  expect(stalePricesMessage({ live: { ...live, stale_since: '2026-11-23T09:05:41.000Z' } })).toBe(
    'No new prices since Nov 23, 09:05 UTC. Paper bots trade again when prices return.',
  );
});
