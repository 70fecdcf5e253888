import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { backtestResult } from '#contract/bots/backtest.ts';
import { figuresOf } from '#domain/bots/backtest-figures.ts';
import { roundToCents, sumOfCents } from '#domain/bots/bot-amounts.ts';
import { type BacktestRequest, NothingToTrade, runRequest } from '#server/backtests/run-request.ts';
import { command } from '#tools/commands/backtest.ts';

const SHIPPED = fileURLToPath(new URL('../../../../src/server/ports/market-data/snapshot/btcusdt-spot-1h.csv.gz', import.meta.url));
const ignore = () => undefined;
const request = (changes: Partial<BacktestRequest> = {}): BacktestRequest => ({
  interval: '1h',
  from: Date.UTC(2023, 1, 1),
  to: Date.UTC(2023, 5, 1),
  capital: 1000,
  leverage: 15,
  lossLimit: 30,
  ...changes,
});

describe('a backtest of the app', () => {
  it.each(['1h', '4h'] as const)('has the figures of the command on %s candles', async (interval) => {
    const { figures, trade_count } = runRequest(request({ interval }), ignore);
    const args = ['--candles', SHIPPED, '--interval', interval, '--from', '2023-02-01', '--to', '2023-06-01', '--loss-limit', '30'];
    const { output } = await command(args, '/');
    for (const { label, strategy, held } of figures)
      expect(output).toContain(`\n${`${label.padEnd(18)}${strategy.padStart(14)}${held.padStart(14)}`.trimEnd()}\n`);
    expect(output).toMatch(new RegExp(`^Trades +${trade_count}$`, 'm'));
  });

  it('has the figures that the forms show for the shipped candles', () => {
    const { lossLimit: _, ...endless } = request({ from: 0, to: Date.UTC(2100, 0, 1) });
    const progress: number[] = [];
    const { performance } = runRequest(endless, (done) => progress.push(done));
    expect(performance).toEqual(figuresOf('1h')?.sample);
    expect(progress.length).toBeGreaterThan(90);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBeLessThanOrEqual(1);
  });

  it('has curves of the same times, and trades that add up to the cent', () => {
    const result = runRequest(request(), ignore);
    expect(backtestResult.parse(result)).toEqual(result);
    expect(result.equity.length).toBeLessThanOrEqual(500);
    expect(result.held.map(({ at }) => at)).toEqual(result.equity.map(({ at }) => at));
    expect([result.equity[0], result.held[0]]).toEqual(Array(2).fill({ at: '2023-02-01T00:00:00.000Z', equity: 1000 }));
    expect(result.equity.at(-1)).toEqual({ at: '2023-06-01T00:00:00.000Z', equity: result.end });
    expect(result.trades.length).toBe(result.trade_count);
    expect(result.trade_profit).toBe(sumOfCents(result.trades.map(({ pnl }) => pnl)));
    for (const { pnl, fees, funding } of result.trades) expect([pnl, fees, funding].map(roundToCents)).toEqual([pnl, fees, funding]);
  });

  it('stops at the loss limit, as a bot does', () => {
    const { stopped_at, trades, equity } = runRequest(request({ lossLimit: 7 }), ignore);
    expect(trades[0]?.reason).toBe('stopped');
    expect(trades[0]?.closed_at).toBe(stopped_at);
    const after = equity.filter(({ at }) => at > String(stopped_at));
    expect(after.length).toBeGreaterThan(10);
    expect(new Set(after.map((point) => point.equity)).size).toBe(1);
    const highest = Math.max(...equity.map((point) => point.equity));
    expect(1 - (equity.at(-1)?.equity ?? 0) / highest).toBeGreaterThan(0.065);
    expect(runRequest(request({ lossLimit: 90 }), ignore).stopped_at).toBeNull();
  });

  it('trades given candles', () => {
    const hours = Array.from({ length: 48 }, (_, hour) => ({ time: hour * 3_600_000, open: 5, high: 6, low: 4, close: 5, volume: 1 }));
    const given = { market: 'Mine', candles: hours };
    expect(runRequest(request({ data: given, from: 0 }), ignore)).toMatchObject({ market: 'Mine', trade_count: 0, end: 1000 });
  });

  it.each([
    ['before the candles', { to: Date.UTC(2020, 0, 1), from: 0 }],
    ['after the candles', { from: Date.UTC(2030, 0, 1), to: Date.UTC(9999, 11, 31) }],
    ['a reversed range', { from: Date.UTC(2023, 5, 1), to: Date.UTC(2023, 1, 1) }],
    ['a length without candles', { interval: '5m' as const }],
  ])('refuses %s', (_, changes) => {
    expect(() => runRequest(request(changes), ignore)).toThrow(NothingToTrade);
  });
});
