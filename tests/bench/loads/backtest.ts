import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { HOUR } from '#domain/clock.ts';
import { readCandles } from '#server/strategy/backtest/candle-file.ts';
import { usualFunding } from '#server/strategy/backtest/funding.ts';
import { runBacktest } from '#server/strategy/backtest/run-backtest.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import { median } from '../median.ts';

const ROUNDS = 5;
/** Allowed ratio of the backtest's time to the time for parsing its candles. */
const LIMIT = 40;
/** The long history of 58,622 candles is outside of the repository; without it the bundled one is used. */
const LONG = '/work/shared/data/candles/btcusdt_perp_binance_1h.csv.gz';
const BUNDLED = 'src/server/ports/market-data/snapshot/btcusdt-spot-1h.csv.gz';

/** CPU time of this process, which other programs do not affect. */
function timed<T>(work: () => T): { ms: number; answer: T } {
  const before = process.cpuUsage();
  const answer = work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, answer };
}

/** Compares a backtest over all candles with unzipping and parsing their file. */
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
