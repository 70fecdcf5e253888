import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { command } from '#tools/commands/backtest.ts';

const bundled = fileURLToPath(new URL('../../../../src/server/ports/market-data/snapshot/btcusdt-spot-1h.csv.gz', import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-backtest-'));
  const lines = gunzipSync(readFileSync(bundled)).toString().split('\n');
  writeFileSync(join(folder, 'part.csv'), lines.slice(0, 2001).join('\n'));
  writeFileSync(join(folder, 'bad.csv'), 'timestamp,open,high,low,close,volume\n0,1,2,1,2,nothing');
  writeFileSync(join(folder, 'torn.csv.gz'), readFileSync(bundled).subarray(0, 1000));
  // Prices rise by the cost of buying, and by slightly less.
  const flat = [100, 100.07, 100.07].map((price, hour) => `${hour * 3_600_000},${price},${price},${price},${price},1`);
  writeFileSync(join(folder, 'flat.csv'), ['timestamp,open,high,low,close,volume', ...flat].join('\n'));
  const rates = ['2023-01-02', '2023-01-03', '2023-01-04'].map((day) => `${Date.parse(day)},0.0001`);
  writeFileSync(join(folder, 'funding.csv'), ['timestamp,funding_rate', ...rates].join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => command(args, folder);

describe('npm run backtest', () => {
  it('prints the strategy beside buy and hold, for plain and zipped files', async () => {
    const { output, exitCode } = await run('--candles', 'part.csv');
    expect(exitCode).toBe(0);
    for (const name of ['CAGR', 'Max drawdown', 'Sharpe', 'Sortino', 'Calmar', 'Profit factor', 'Win rate', 'Exposure', 'Trades'])
      expect(output).toMatch(new RegExp(`^${name} +[\\d.-]+`, 'm'));
    expect(output).toMatch(/^Longest drawdown +\d+ days/m);
    expect(output).toMatch(/^Worst month +-?[\d.]+%/m);
    expect(output).toContain('2000 candles of 60 minutes, 1 missing; traded 2023-01-01 to 2023-03-25');
    expect(output).toContain('funding assumed');
    const zipped = await run('--candles', bundled, '--to', '2023-02-01', '--funding', 'funding.csv', '--leverage', '3');
    expect(zipped.output).toContain('traded 2023-01-01 to 2023-02-01\n3× at most');
    expect(zipped.output).toContain('funding as given, outside of 2023-01-02 to 2023-01-04 assumed at 0.01% every 8 hours');
  });

  it('prints its help', async () => {
    const { output, exitCode } = await run('--help');
    expect(exitCode).toBe(0);
    for (const option of [
      'candles',
      'funding',
      'leverage',
      'capital',
      'loss-limit',
      'from',
      'to',
      'out',
      'interval',
      'walk-forward',
      'control',
      'seed',
    ])
      expect(output).toMatch(new RegExp(`^  --${option} .*\\w`, 'm'));
    expect((await run('-h')).output).toBe(output);
  });

  it('reads dates and times in UTC', async () => {
    vi.stubEnv('TZ', 'America/New_York');
    expect(new Date(2023, 0, 15).getTimezoneOffset()).toBe(300);
    const { output } = await run('--candles', 'part.csv', '--out', 'zone', '--from', '2023-01-15T12:00', '--to', '2023-01-31T14:00+02:00');
    vi.unstubAllEnvs();
    expect(output).toContain('traded 2023-01-15 to 2023-01-31');
    const times = readFileSync(join(folder, 'zone/equity.csv'), 'utf8').trim().split('\n').slice(1).map(Number.parseFloat);
    expect([times[0], times.at(-1)]).toEqual([Date.UTC(2023, 0, 15, 13), Date.UTC(2023, 0, 31, 12)]);
  });

  it('shows zero without a sign', async () => {
    const { output } = await run('--candles', 'flat.csv');
    expect(output).toMatch(/^Total return +0\.0% +0\.0%$/m);
  });

  it('reports the open position, so that all figures add up', async () => {
    const { output } = await run('--candles', 'part.csv', '--out', 'sum', '--to', '2023-03-10');
    const rows = (name: string) =>
      readFileSync(join(folder, 'sum', name), 'utf8')
        .trim()
        .split('\n')
        .slice(1);
    const made = rows('trades.csv').reduce((sum, row) => sum + Number(row.split(',')[6]), 0);
    const open = Number(/Not in the trades: (-?[\d.]+) USD of a position that is still open/.exec(output)?.[1]);
    expect(Math.abs(open)).toBeGreaterThan(0.01);
    expect(1000 + made + open).toBeCloseTo(Number(rows('equity.csv').at(-1)?.split(',')[1]), 1);
  });

  it('joins candles, and prints the mean of a trade with its interval', async () => {
    const { output } = await run('--candles', 'part.csv', '--interval', '4h');
    expect(output).toContain('candles of 240 minutes');
    const [, mean, low, high] =
      /^Mean per trade: (-?[\d.]+)% of the bot's money, 95% interval (-?[\d.]+)% to (-?[\d.]+)%/m.exec(output) ?? [];
    expect(Number(low)).toBeLessThan(Number(mean));
    expect(Number(mean)).toBeLessThan(Number(high));
    expect(output).toContain('(10000 resamples, seed 1): not statistically different from 0.');
  });

  it('compares the strategy with random entries', async () => {
    const { output } = await run('--candles', 'part.csv', '--to', '2023-02-05', '--control', '--seed', '3');
    expect(output).toMatch(
      /^Random entries along the same trend, same exits: \d+ of 200 runs earned more than the strategy\. CAGR -?[\d.]+% in the median, 95% of them -?[\d.]+% to -?[\d.]+%\.$/m,
    );
  });

  it('stops at a loss limit, and says when', async () => {
    const { output } = await run('--candles', bundled, '--loss-limit', '5');
    expect(output).toMatch(/^The loss limit of 5% stopped the bot at 2023-\d\d-\d\dT\d\d:00Z\.$/m);
    expect((await run('--candles', 'part.csv', '--loss-limit', '90')).output).not.toContain('stopped the bot');
  });

  it('writes trades, equity and a picture', async () => {
    const { output } = await run('--candles', 'part.csv', '--out', 'deep/out', '--from', '2023-01-15');
    const out = join(folder, 'deep/out');
    expect(readdirSync(out).sort()).toEqual(['equity.csv', 'equity.svg', 'trades.csv']);
    const [header, first = ''] = readFileSync(join(out, 'trades.csv'), 'utf8').split('\n');
    expect(header).toBe('opened_at,closed_at,side,entry,exit,quantity,pnl,fees,funding,reason');
    const [opened, closed, side] = first.split(',');
    expect(Number(opened)).toBeGreaterThanOrEqual(Date.UTC(2023, 0, 15));
    expect(Number(closed)).toBeGreaterThan(Number(opened));
    expect(['long', 'short']).toContain(side);
    const equity = readFileSync(join(out, 'equity.csv'), 'utf8').trim().split('\n');
    expect(equity[0]).toBe('timestamp,equity,buy_and_hold');
    expect(equity[1]).toMatch(new RegExp(`^${Date.UTC(2023, 0, 15, 1)},1000,`));
    expect(output).toContain(`End, USD${Number(equity.at(-1)?.split(',')[1]).toFixed(2).padStart(24)}`);
    expect(readFileSync(join(out, 'equity.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<polyline[\s\S]*<polyline[\s\S]*<\/svg>\n$/);
  });

  it.each<[string[], string]>([
    [[], '--candles is missing.'],
    [['--candles', 'none.csv'], 'none.csv cannot be read.'],
    [['--candles', 'bad.csv'], 'bad.csv: Line 2: volume is no number.'],
    [['--candles', 'torn.csv.gz'], 'torn.csv.gz cannot be unzipped.'],
    [['--candles', 'part.csv', '--funding', 'part.csv'], 'part.csv: The first line has to name the columns; funding_rate not found.'],
    [['--candles', 'part.csv', '--leverage', '0'], '--leverage must be a number from 1 to 100.'],
    [['--candles', 'part.csv', '--leverage', '1e1'], '--leverage must be a number from 1 to 100.'],
    [['--candles', 'part.csv', '--from', 'yesterday'], '--from must be a date such as 2024-01-31.'],
    [['--candles', 'part.csv', '--from', '2023-02-30'], '--from must be a date such as 2024-01-31.'],
    [['--candles', 'part.csv', '--from', '2023-02-01T25:00'], '--from must be a date such as 2024-01-31.'],
    [['--candles', 'part.csv', '--funding', 'funding.csv', '--from', '2023-02-01'], 'are of another time than is traded.'],
    [['--candles', 'part.csv', '--from', '2023-02-01', '--to', '2023-02-01'], '--from must be before --to.'],
    [['--candles', 'part.csv', '--from', '2030-01-01'], 'There are no candles between --from and --to.'],
    [['--candles', 'part.csv', '--interval', '7m'], '--interval must be one of 5m, 15m, 30m, 1h, 4h.'],
    [['--candles', 'part.csv', '--interval', '15m'], '--interval must be a multiple of 1h.'],
    [['--candles', 'part.csv', '--control', '--walk-forward'], '--control and --walk-forward do not go together.'],
    [['--candles', 'part.csv', '--loss-limit', '0'], '--loss-limit must be a number from 1 to 100.'],
    [['--candles', 'part.csv', '--loss-limit', '30', '--walk-forward'], '--loss-limit and --walk-forward do not go together.'],
    [['--candles', 'part.csv', '--seed', '-1'], 'argument is ambiguous'],
    [['--candles', 'part.csv', '--seed', 'x'], '--seed must be a number from 0 to 1000000000.'],
    [['--candles', 'part.csv', '--out', 'bad.csv'], 'bad.csv is not writable.'],
    [['--candels', 'part.csv'], "Unknown option '--candels'"],
  ])('says what is wrong with %j, and ends with 1', async (args, complaint) => {
    const { output, exitCode } = await run(...args);
    expect(exitCode).toBe(1);
    expect(output).toContain(complaint);
    expect(output).not.toContain('    at ');
  });
});
