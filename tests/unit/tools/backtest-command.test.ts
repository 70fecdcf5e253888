import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backtest } from '../../../src/tools/backtest-command';

const bundled = fileURLToPath(new URL('../../../src/server/ports/market-data/snapshot/btcusdt-spot-1h.csv.gz', import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-backtest-'));
  const lines = gunzipSync(readFileSync(bundled)).toString().split('\n');
  writeFileSync(join(folder, 'part.csv'), lines.slice(0, 2001).join('\n'));
  writeFileSync(join(folder, 'bad.csv'), 'timestamp,open,high,low,close,volume\n0,1,2,1,2,nothing');
  writeFileSync(join(folder, 'torn.csv.gz'), readFileSync(bundled).subarray(0, 1000));
  writeFileSync(join(folder, 'funding.csv'), 'timestamp,funding_rate\n0,0.0001');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => backtest(args, folder);

describe('npm run backtest', () => {
  it('prints what the strategy came to beside holding, of a plain file or a zipped one', async () => {
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
    expect(zipped.output).toContain('funding as given');
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
    [['--candles', 'part.csv', '--leverage', '0'], '--leverage has to be a number from 1 to 100.'],
    [['--candles', 'part.csv', '--leverage', '1e1'], '--leverage has to be a number from 1 to 100.'],
    [['--candles', 'part.csv', '--from', 'yesterday'], '--from has to be a date such as 2024-01-31.'],
    [['--candles', 'part.csv', '--from', '2023-02-01', '--to', '2023-02-01'], '--from has to lie before --to.'],
    [['--candles', 'part.csv', '--from', '2030-01-01'], 'No candle lies between --from and --to.'],
    [['--candles', 'part.csv', '--out', 'bad.csv'], 'bad.csv cannot be written to.'],
    [['--candels', 'part.csv'], "Unknown option '--candels'"],
  ])('says what is wrong with %j, and ends with 1', async (args, complaint) => {
    const { output, exitCode } = await run(...args);
    expect(exitCode).toBe(1);
    expect(output).toContain(complaint);
    expect(output).not.toContain('    at ');
  });
});
