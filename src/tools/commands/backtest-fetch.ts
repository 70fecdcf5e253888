import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { INTERVAL_MS, INTERVALS } from '#domain/bots/intervals.ts';
import { type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { klines, readKlines } from '#server/ports/exchange/bybit/klines.ts';
import { MARKET } from '#server/ports/exchange/bybit/market.ts';
import { fetchText } from '#server/ports/fetch-text.ts';
import { countMissing } from '#server/strategy/backtest/candle-file.ts';
import { FUNDING_EVERY } from '#server/strategy/matching/perpetual.ts';

const HELP = `Usage: npm run backtest:fetch -- --interval LENGTH [--from DATE] [--to DATE] [--out DIR] [--url URL]

Loads candles and funding rates of Bybit's BTCUSDT perpetual, for npm run backtest and backtest:figures.

  --interval LENGTH  ${INTERVALS.join(', ')}
  --from DATE        First UTC day, such as 2024-01-31. Default: 2020-03-25, the market's first
  --to DATE          End, not included. Default: the last closed candle
  --out DIR          Folder of the two files. Default: the current one
  --url URL          Other address of Bybit's API`;

/** Rows in one answer, as Bybit limits them. */
const CANDLES_PER_PAGE = 1000;
const RATES_PER_PAGE = 200;
/** Bytes of one answer. */
const MAX_ANSWER = 1_000_000;
const TRIES = 4;

interface Waits {
  /** Between two requests, ms. Bybit allows 600 in 5 s from one address. */
  pause: number;
  /** Before the first retry, doubled each time, ms. */
  retry: number;
  /** Timeout of an answer, ms. */
  answer: number;
}
const WAITS: Waits = { pause: 100, retry: SECOND, answer: 10 * SECOND };

/** What went wrong, for the user. */
class FetchError extends Error {}

const envelope = z.object({ retCode: z.number(), result: z.unknown(), time: z.number() });
const number = z.pipe(z.string().check(z.regex(/^-?\d{1,15}(\.\d{1,20})?$/)), z.transform(Number));
const rates = z.object({ list: z.array(z.object({ fundingRate: number, fundingRateTimestamp: number })) });

interface Wanted {
  interval: number;
  name: string;
  from: number;
  to: number;
  out: string;
}

/** Runs `npm run backtest:fetch`. Relative paths start at `folder`. */
export async function command(
  args: string[],
  folder: string,
  { clock = Date.now, waits = WAITS }: { clock?: Clock; waits?: Waits } = {},
): Promise<{ output: string; exitCode: 0 | 1 }> {
  try {
    const { url, ...wanted } = readArguments(args, folder, clock());
    return { output: await load(wanted, createReader(url, waits)), exitCode: 0 };
  } catch (error) {
    if (error instanceof FetchError) return { output: error.message, exitCode: 1 };
    throw error;
  }
}

function readArguments(args: string[], folder: string, now: number): Wanted & { url: string } {
  const values = parse(args);
  const name = INTERVALS.find((each) => each === values.interval);
  if (!name) throw new FetchError(HELP);
  const interval = INTERVAL_MS[name];
  const from = readDay('--from', values.from);
  const closed = Math.floor(now / interval) * interval;
  const to = values.to === undefined ? closed : Math.min(readDay('--to', values.to), closed);
  if (from >= to) throw new FetchError('--from must be before --to.');
  if (!/^https?:\/\/[^\s?#]{1,200}$/.test(values.url)) throw new FetchError('--url must start with https:// or http://.');
  return { interval, name, from, to, out: resolve(folder, values.out), url: values.url.replace(/\/+$/, '') };
}

function parse(args: string[]) {
  const text = (byDefault: string) => ({ type: 'string', default: byDefault }) as const;
  try {
    return parseArgs({
      args,
      options: {
        interval: { type: 'string' },
        from: text('2020-03-25'),
        to: { type: 'string' },
        out: text('.'),
        url: text('https://api.bybit.com'),
      },
    }).values;
  } catch (error) {
    throw new FetchError(`${error instanceof Error ? error.message : error}\n${HELP}`);
  }
}

function readDay(name: string, text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN;
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(text))
    throw new FetchError(`${name} must be a UTC day such as 2024-01-31.`);
  return at;
}

type Read = <T extends z.ZodMiniType>(path: string, params: Record<string, string | number>, schema: T) => Promise<z.output<T>>;

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Creates a reader of Bybit's public answers. It retries failures, and stops at a ban of this address. */
function createReader(url: string, { pause, retry, answer }: Waits): Read {
  async function once(address: URL): Promise<unknown> {
    const { response, text } = await fetchText(address.href, { headers: {}, patience: answer, maxBytes: MAX_ANSWER });
    if (response.status === 403)
      throw new FetchError('Bybit refuses this address (HTTP 403): too many requests, or a blocked country. Try again in 10 minutes.');
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const { retCode, result } = z.parse(envelope, JSON.parse(text));
    if (retCode !== 0) throw new Error(`code ${retCode}`);
    return result;
  }

  return async (path, params, schema) => {
    const address = new URL(`${url}/v5/market/${path}`);
    for (const [name, value] of Object.entries({ ...MARKET, ...params })) address.searchParams.set(name, String(value));
    let last: unknown;
    for (let tries = 0; tries < TRIES; tries++) {
      await wait(tries === 0 ? pause : retry * 2 ** (tries - 1));
      try {
        return z.parse(schema, await once(address));
      } catch (error) {
        if (error instanceof FetchError) throw error;
        last = error;
      }
    }
    const why = last instanceof z.core.$ZodError ? 'its answer cannot be read' : last instanceof Error ? last.message : String(last);
    throw new FetchError(`${address.host} did not answer ${path} after ${TRIES} tries: ${why}. Nothing was written.`);
  };
}

async function load({ interval, name, from, to, out }: Wanted, read: Read): Promise<string> {
  const candles = await loadCandles({ interval, from, to }, read);
  const [first] = candles;
  if (!first) throw new FetchError('There are no candles of that time.');
  const funding = await loadRates({ from: first.time, to }, read);
  const files = {
    [`btcusdt-perp-${name}.csv.gz`]: gzipSync(
      csv('timestamp,open,high,low,close,volume', candles, (candle) => [
        candle.time,
        candle.open,
        candle.high,
        candle.low,
        candle.close,
        candle.volume,
      ]),
    ),
    'btcusdt-perp-funding.csv': csv('timestamp,funding_rate', funding, ({ time, rate }) => [time, rate]),
  };
  try {
    await mkdir(out, { recursive: true });
    for (const [file, content] of Object.entries(files)) await writeFile(join(out, file), content);
  } catch {
    throw new FetchError(`${out} is not writable.`);
  }
  return `${candles.length} candles, ${countMissing(candles, interval)} missing, and ${funding.length} funding rates written to ${out}: ${Object.keys(files).join(', ')}`;
}

async function loadCandles({ interval, from, to }: Pick<Wanted, 'interval' | 'from' | 'to'>, read: Read): Promise<Candle[]> {
  const loaded: Candle[] = [];
  for (let start = from; start < to; start += CANDLES_PER_PAGE * interval) {
    const end = Math.min(to, start + CANDLES_PER_PAGE * interval);
    const page = { interval: interval / MINUTE, start, end: end - 1, limit: CANDLES_PER_PAGE };
    loaded.push(...readKlines(await read('kline', page, klines), interval, to).filter(({ time }) => time >= start && time < end));
  }
  return loaded;
}

async function loadRates({ from, to }: Pick<Wanted, 'from' | 'to'>, read: Read): Promise<{ time: number; rate: number }[]> {
  const loaded = new Map<number, number>();
  const span = RATES_PER_PAGE * FUNDING_EVERY;
  for (let start = from; start < to; start += span) {
    const page = { startTime: start, endTime: Math.min(to, start + span) - 1, limit: RATES_PER_PAGE };
    const { list } = await read('funding/history', page, rates);
    for (const { fundingRateTimestamp, fundingRate } of list) loaded.set(fundingRateTimestamp, fundingRate);
  }
  return [...loaded].map(([time, rate]) => ({ time, rate })).sort((a, b) => a.time - b.time);
}

const csv = <T>(header: string, rows: readonly T[], cellsOf: (row: T) => number[]): string =>
  `${[header, ...rows.map((row) => cellsOf(row).map(plain).join(','))].join('\n')}\n`;

/** Writes a number without an exponent. */
const plain = (value: number): string => (Math.abs(value) > 0 && Math.abs(value) < 1e-6 ? value.toFixed(12) : String(value));
