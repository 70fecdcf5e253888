import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { HOUR } from '#domain/clock.ts';
import { readCandles } from '#server/strategy/backtest/candle-file.ts';
import { usualFunding } from '#server/strategy/backtest/funding.ts';
import { runBacktest } from '#server/strategy/backtest/run-backtest.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import { median } from './median.ts';

const ROUNDS = 5;
/** How many times longer the backtest may take than reading its candles. */
const LIMIT = 40;
/** The long history, 58,622 candles, is not part of the project; the bundled one stands in where it is absent. */
const LONG = '/work/shared/data/candles/btcusdt_perp_binance_1h.csv.gz';
const BUNDLED = 'src/server/ports/market-data/snapshot/btcusdt-spot-1h.csv.gz';

/** The time of this process alone, so that others on the machine do not count. */
function timed<T>(work: () => T): { ms: number; answer: T } {
  const before = process.cpuUsage();
  const answer = work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, answer };
}

/** A backtest over all candles against unzipping and parsing their file, in turn. */
export function backtestBench(): string {
  const file = existsSync(LONG) ? LONG : BUNDLED;
  const reading: number[] = [];
  const trading: number[] = [];
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const read = timed(() => readCandles(gunzipSync(readFileSync(file)).toString()));
    const options = { interval: HOUR, capital: 1000, rules: { ...PERPETUAL, leverage: 15 }, fundingBetween: usualFunding };
    count = read.answer.length;
    reading.push(read.ms);
    trading.push(timed(() => runBacktest(read.answer, options)).ms);
  }
  const ratio = median(trading) / median(reading);
  const verdict = ratio <= LIMIT ? 'within' : 'OVER';
  return `Backtest of ${count} candles, against unzipping and parsing them: ${ratio.toFixed(1)} (${verdict} ${LIMIT})`;
}
