import { readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BACKTESTS } from '#domain/bots/backtest-figures.ts';
import { INTERVAL_MS, INTERVALS } from '#domain/bots/intervals.ts';
import { HOUR } from '#domain/clock.ts';
import { BadFile } from '#server/strategy/backtest/candle-file.ts';
import { CAPITAL, LEVERAGE, MEASURED_PARAMETERS, measure } from '#server/strategy/backtest/measure.ts';
import { resample } from '#server/strategy/backtest/resample.ts';
import { at } from '../root.mjs';
import { readCandleFile, readFundingFile } from './backtest-files.ts';

/** Candles that ship with the server. */
const SAMPLE = 'src/server/ports/market-data/snapshot/btcusdt-spot-1h.csv.gz';
const FILE = 'src/domain/bots/backtest-figures.json';
const HELP = `Usage: npm run backtest:figures -- --candles FILE --funding FILE --market NAME

Measures the strategy for the file's candle length and its multiples, and writes the
figures that the app shows to ${FILE}. Takes minutes.`;

/** Runs `npm run backtest:figures`. Relative paths start at `folder`. */
export async function command(args: string[], folder: string, file = at(FILE)): Promise<{ output: string; exitCode: 0 | 1 }> {
  const text = { type: 'string' } as const;
  const { candles, funding, market } = parseArgs({ args, strict: false, options: { candles: text, funding: text, market: text } }).values;
  if (typeof candles !== 'string' || typeof funding !== 'string' || typeof market !== 'string') return { output: HELP, exitCode: 1 };
  try {
    const { all, interval: read } = await readCandleFile(resolve(folder, candles));
    const { between: fundingBetween } = await readFundingFile(resolve(folder, funding));
    const { all: shipped } = await readCandleFile(at(SAMPLE));
    const lengths = INTERVALS.filter((name) => INTERVAL_MS[name] % read === 0);
    const how = `npm run backtest:figures -- --candles ${basename(candles)} --funding ${basename(funding)} --market "${market}"`;
    const measured = lengths.map((name) => {
      const interval = INTERVAL_MS[name];
      const sample = interval < HOUR ? undefined : resample(shipped, { from: HOUR, to: interval });
      const data = { candles: resample(all, { from: read, to: interval }), interval, fundingBetween };
      return [name, { market, command: how, ...measure(data, sample) }] as const;
    });
    write(file, Object.fromEntries(measured));
    return { output: `Written to ${FILE}: ${lengths.join(', ')}`, exitCode: 0 };
  } catch (error) {
    if (error instanceof BadFile) return { output: error.message, exitCode: 1 };
    throw error;
  }
}

/** Adds figures to the file. Figures of other parameters go. */
function write(file: string, intervals: typeof BACKTESTS.intervals): void {
  const old = JSON.parse(readFileSync(file, 'utf8')) as typeof BACKTESTS;
  const isSame = JSON.stringify(old.parameters) === JSON.stringify(MEASURED_PARAMETERS);
  const figures: typeof BACKTESTS = {
    capital: CAPITAL,
    leverage: LEVERAGE,
    parameters: MEASURED_PARAMETERS,
    intervals: { ...(isSame && old.intervals), ...intervals },
  };
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}
