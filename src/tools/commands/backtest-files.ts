import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Candle } from '#domain/market/candles.ts';
import { BadFile, intervalOf, readCandles } from '#server/strategy/backtest/candle-file.ts';
import { type GivenFunding, readFunding } from '#server/strategy/backtest/funding.ts';

/** Reads candles of a CSV file, plain or gzipped, and their length, ms. Throws `BadFile`. */
export const readCandleFile = (file: string): Promise<{ all: Candle[]; interval: number }> =>
  readWith(file, (text) => {
    const all = readCandles(text);
    return { all, interval: intervalOf(all) };
  });

/** Reads funding rates of a CSV file, plain or gzipped. Throws `BadFile`. */
export const readFundingFile = (file: string): Promise<GivenFunding> => readWith(file, readFunding);

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => {
    throw new BadFile(`${file} cannot be read.`);
  });
  try {
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString();
  } catch {
    throw new BadFile(`${file} cannot be unzipped.`);
  }
}

/** Adds the file's name to an error. */
async function readWith<T>(file: string, read: (text: string) => T): Promise<T> {
  const text = await readText(file);
  try {
    return read(text);
  } catch (error) {
    throw error instanceof BadFile ? new BadFile(`${file}: ${error.message}`) : error;
  }
}
