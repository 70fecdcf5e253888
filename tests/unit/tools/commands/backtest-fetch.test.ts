import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { readCandles } from '#server/strategy/backtest/candle-file.ts';
import { readFunding } from '#server/strategy/backtest/funding.ts';
import { command } from '#tools/commands/backtest-fetch.ts';

const START = Date.UTC(2024, 0, 1);
const NOW = START + 40 * DAY + 7 * MINUTE;
const INTERVAL = 15 * MINUTE;
const waits = { pause: 0, retry: 0, answer: 30_000 };

let folder = '';
let url = '';
/** What the next calls get instead of an answer. */
let faults: ((response: http.ServerResponse) => void)[] = [];
let asked: URL[] = [];

const send = (response: http.ServerResponse, body: unknown, status = 200) => response.writeHead(status).end(JSON.stringify(body));
const count = (params: URLSearchParams, name: string) => Number(params.get(name));

/** Answers as Bybit documents: newest first, at most 1,000 candles or 200 rates, the open candle included. */
const ANSWERS: Record<string, (params: URLSearchParams) => unknown[]> = {
  '/v5/market/kline': (params) => {
    const [start, end] = [count(params, 'start'), Math.min(count(params, 'end'), NOW)];
    const times = Array.from({ length: Math.ceil((NOW - START) / INTERVAL) }, (_, index) => START + index * INTERVAL);
    const inside = times.filter((time) => time >= start && time <= end).slice(-Math.min(count(params, 'limit'), 1000));
    return inside.reverse().map((time) => [time, 100, 102, 99, 101, 0.0000005, 7].map(String));
  },
  '/v5/market/funding/history': (params) => {
    const [start, end] = [count(params, 'startTime'), Math.min(count(params, 'endTime'), NOW)];
    const times = Array.from({ length: Math.ceil((NOW - START) / (8 * HOUR)) }, (_, index) => START + index * 8 * HOUR);
    const inside = times.filter((time) => time >= start && time <= end).slice(-Math.min(count(params, 'limit'), 200));
    return inside.reverse().map((time) => ({ symbol: 'BTCUSDT', fundingRate: '0.0001', fundingRateTimestamp: String(time) }));
  },
};

const server = http.createServer((request, response) => {
  const address = new URL(request.url ?? '', url);
  asked.push(address);
  const fault = faults.shift();
  if (fault) return fault(response);
  const list = ANSWERS[address.pathname]?.(address.searchParams);
  return send(response, { retCode: 0, retMsg: 'OK', result: { category: 'linear', list }, time: NOW });
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-fetch-'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  faults = [];
  asked = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => command(['--interval', '15m', '--url', url, ...args], folder, { clock: () => NOW, waits });
const candlesOf = (out: string) => readCandles(gunzipSync(readFileSync(join(folder, out, 'btcusdt-perp-15m.csv.gz'))).toString());

describe('npm run backtest:fetch', () => {
  it('writes every closed candle and every rate, as npm run backtest reads them', async () => {
    const { output, exitCode } = await run('--from', '2024-01-01', '--out', 'all');
    expect([output, exitCode]).toEqual([expect.stringMatching(/^3840 candles, 0 missing, and 120 funding rates written/), 0]);
    const candles = candlesOf('all');
    expect([candles.length, candles[0]?.time, candles.at(-1)?.time]).toEqual([3840, START, NOW - 7 * MINUTE - INTERVAL]);
    expect(candles[5]).toEqual({ time: START + 5 * INTERVAL, open: 100, high: 102, low: 99, close: 101, volume: 0.0000005 });
    const { from, to, between } = readFunding(readFileSync(join(folder, 'all', 'btcusdt-perp-funding.csv'), 'utf8'));
    expect([from, to, between(START, START + DAY)]).toEqual([START, START + 40 * DAY, expect.closeTo(0.0003, 10)]);
    expect(asked.every(({ searchParams }) => searchParams.get('symbol') === 'BTCUSDT' && searchParams.get('category') === 'linear')).toBe(
      true,
    );
    expect(asked).toHaveLength(5);
  });

  it('stops before --to', async () => {
    await run('--from', '2024-01-02', '--to', '2024-01-03', '--out', 'day');
    expect(candlesOf('day').map(({ time }) => time)).toEqual(Array.from({ length: 96 }, (_, index) => START + DAY + index * INTERVAL));
  });

  it.each<[string, (response: http.ServerResponse) => void]>([
    ['an error of the server', (response) => send(response, {}, 502)],
    ['a rate limit', (response) => send(response, { retCode: 10006, result: {}, time: NOW })],
    ['a broken connection', (response) => response.destroy()],
    ['an answer that is cut', (response) => response.end('{"retCode":0,"result":{"list":[["17')],
    ['an answer of another shape', (response) => send(response, { retCode: 0, result: { list: [['x']] }, time: NOW })],
  ])('retries after %s', async (_what, fault) => {
    faults = [fault, fault];
    const { exitCode } = await run('--from', '2024-01-01', '--to', '2024-01-02', '--out', 'again');
    expect(exitCode).toBe(0);
    expect(candlesOf('again')).toHaveLength(96);
  });

  it('retries after silence', async () => {
    faults = [() => {}];
    const args = ['--interval', '15m', '--url', url, '--from', '2024-01-01', '--to', '2024-01-02', '--out', 'silent'];
    const { exitCode } = await command(args, folder, { clock: () => NOW, waits: { ...waits, answer: 1000 } });
    expect(exitCode).toBe(0);
    expect(candlesOf('silent')).toHaveLength(96);
  });

  it('gives up after four tries, and writes nothing', async () => {
    faults = Array.from({ length: 4 }, () => (response: http.ServerResponse) => send(response, {}, 500));
    const { output, exitCode } = await run('--from', '2024-01-01', '--out', 'none');
    expect([output, exitCode]).toEqual([`${new URL(url).host} did not answer kline after 4 tries: HTTP 500. Nothing was written.`, 1]);
    expect(readdirSync(folder)).not.toContain('none');
  });

  it('does not ask again once the address is refused', async () => {
    faults = [(response) => send(response, {}, 403)];
    expect((await run('--from', '2024-01-01')).output).toMatch(/^Bybit refuses this address \(HTTP 403\)/);
    expect(asked).toHaveLength(1);
  });

  it('does not read an answer without end', async () => {
    const part = Buffer.alloc(64_000, '9');
    const endless = (response: http.ServerResponse): void => {
      while (response.write(part));
      response.once('drain', () => endless(response));
    };
    faults = [endless, endless, endless, endless];
    expect((await run('--from', '2024-01-01')).output).toContain('the answer has more than 1000000 bytes');
  });

  it.each<[string[], string]>([
    [['--interval', '7m'], 'Usage:'],
    [['--from', '2024-02-30'], '--from must be a UTC day such as 2024-01-31.'],
    [['--from', '2024-01-02', '--to', '2024-01-02'], '--from must be before --to.'],
    [['--from', '2030-01-01'], '--from must be before --to.'],
    [['--url', 'file:///etc/passwd'], '--url must start with https:// or http://.'],
    [['--intervall', '15m'], "Unknown option '--intervall'"],
  ])('refuses %j', async (args, complaint) => {
    const { output, exitCode } = await run(...args);
    expect([output, exitCode]).toEqual([expect.stringContaining(complaint), 1]);
    expect(asked).toEqual([]);
  });
});
