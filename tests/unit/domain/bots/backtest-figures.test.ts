import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Performance } from '#contract/bots/bot.ts';
import { BACKTESTS, figuresOf, type Held, type IntervalFigures, isProven } from '#domain/bots/backtest-figures.ts';
import { INTERVAL_MS, type Interval } from '#domain/bots/intervals.ts';
import { HOUR } from '#domain/clock.ts';
import { readCandles } from '#server/strategy/backtest/candle-file.ts';
import { readFunding } from '#server/strategy/backtest/funding.ts';
import { MEASURED_PARAMETERS, measure, measurePart, measureSample, measureTrades } from '#server/strategy/backtest/measure.ts';
import { resample } from '#server/strategy/backtest/resample.ts';
import { FITTED_UNTIL } from '#server/strategy/parameters.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { command } from '#tools/commands/backtest.ts';

const SHIPPED = fileURLToPath(new URL('../../../../src/server/ports/market-data/snapshot/btcusdt-spot-1h.csv.gz', import.meta.url));
/** Real candles that may not be redistributed. Their tests run in `npm run nightly`, and only with this folder. */
const FOLDER = '/work/shared/data/candles';
const CANDLES = `${FOLDER}/btcusdt_perp_binance_1h.csv.gz`;
const FUNDING = `${FOLDER}/btcusdt_perp_binance_funding_8h.csv`;
const isDue = isNightly && existsSync(CANDLES);

const hourly = (file: string) => readCandles(gunzipSync(readFileSync(file)).toString());
const intervals = Object.entries(BACKTESTS.intervals) as [Interval, IntervalFigures][];
/** The measured lengths that the server's own candles cover. */
const sampled = intervals.filter(([, { sample }]) => sample !== null);

function wholeHistory(name: Interval) {
  const interval = INTERVAL_MS[name];
  const candles = resample(hourly(CANDLES), { from: HOUR, to: interval });
  return { candles, interval, fundingBetween: readFunding(readFileSync(FUNDING, 'utf8')).between };
}

/** Returns a figure of the command's table. */
const printed = (output: string, name: string) => new RegExp(`^${name} +(\\S+)`, 'm').exec(output)?.[1];
const shown = (fraction: number | null) => `${((fraction ?? Number.NaN) * 100).toFixed(1)}%`;
const asPrinted = (output: string) => ['CAGR', 'Max drawdown', 'Win rate', 'Trades'].map((name) => printed(output, name));
const asStored = (of: Performance) => [shown(of.annual_return), shown(of.max_drawdown), shown(of.win_rate), String(of.trades)];

describe('the figures that users see', () => {
  it('belong to the parameters that bots trade with', () => {
    expect(BACKTESTS.parameters).toEqual(MEASURED_PARAMETERS);
    expect(sampled.map(([name]) => name)).toContain('1h');
  });

  it('are those of docs/benchmarks.md', () => {
    const text = readFileSync(new URL('../../../../docs/benchmarks.md', import.meta.url), 'utf8')
      .replaceAll(/ +/g, ' ')
      .replaceAll('−', '-');
    const row = (label: string, cell: (figures: IntervalFigures) => string) =>
      `| ${[label, ...intervals.map(([, each]) => cell(each))].join(' | ')} |`;
    const pair = (of: Held) => `${shown(of.annual_return)}, ${shown(of.max_drawdown)}`;
    const precise = (fraction: number) => (fraction * 100).toFixed(2);
    for (const line of [
      row('Return per year', ({ unseen }) => shown(unseen.annual_return)),
      row('Largest drawdown', ({ unseen }) => shown(unseen.max_drawdown)),
      row('Trades', ({ unseen }) => String(unseen.trades)),
      row("Mean per trade, of the bot's money", ({ per_trade }) => `${precise(per_trade.mean)}%`),
      row('Its 95% interval', ({ per_trade }) => `${precise(per_trade.low)} to ${precise(per_trade.high)}%`),
      row('Median of 36 settings: return, drawdown', ({ combinations }) => pair(combinations)),
      row('Median of 200 random entries: return, drawdown', ({ random_entries }) => pair(random_entries)),
      row('Random entries that earned more', ({ random_entries }) => shown(random_entries.better)),
      row('Buy and hold: return, drawdown', ({ unseen_held }) => pair(unseen_held)),
      row('Position, in multiples of the money: 90% middle', ({ exposure }) => `${exposure.low} to ${exposure.high}`),
    ])
      expect(text).toContain(line);
  });

  it.each(sampled)('are repeated on the shipped candles of %s', (name, { sample }) => {
    const candles = resample(hourly(SHIPPED), { from: HOUR, to: INTERVAL_MS[name] });
    expect(measureSample(candles, INTERVAL_MS[name])).toEqual(sample);
  });

  it.each(sampled)('are those of the command on the shipped candles of %s', async (name, { sample }) => {
    const { output } = await command(['--candles', SHIPPED, '--interval', name], '/');
    expect(asPrinted(output)).toEqual(sample && asStored(sample));
  });

  it.skipIf(!isDue)('are repeated on the whole history at night, if its candles are at hand', { timeout: 180_000 }, async () => {
    for (const [name, figures] of sampled) {
      const data = wholeHistory(name);
      const unseen = measurePart(data, FITTED_UNTIL);
      expect([unseen.performance, unseen.held]).toEqual([figures.unseen, figures.unseen_held]);
      const { per_trade, exposure } = figures;
      expect(measureTrades(unseen.result.trades)).toEqual({ per_trade, exposure });
      const whole = measurePart(data, 0);
      expect([whole.performance, whole.held]).toEqual([figures.whole, figures.whole_held]);
    }
    const from = new Date(FITTED_UNTIL).toISOString().slice(0, 10);
    const { output } = await command(['--candles', CANDLES, '--funding', FUNDING, '--from', from], '/');
    expect(asPrinted(output)).toEqual(asStored((figuresOf('1h') as IntervalFigures).unseen));
  });

  it.skipIf(!isDue)(
    'are repeated with all settings and random entries at night, if the candles are at hand',
    { timeout: 1_800_000 },
    () => {
      const shipped = hourly(SHIPPED);
      for (const [name, { market, command, ...figures }] of sampled)
        expect(measure(wholeHistory(name), resample(shipped, { from: HOUR, to: INTERVAL_MS[name] }))).toEqual(figures);
    },
  );
});

it('calls a profit proven only if its interval is above 0', () => {
  const of = (low: number) => isProven({ per_trade: { mean: 0.01, low, high: 0.02 } });
  expect([of(-0.001), of(0), of(0.001)]).toEqual([false, false, true]);
});

it('has no figures of a length that was not measured', () => {
  expect([figuresOf('15m'), figuresOf('constructor'), figuresOf('')]).toEqual([undefined, undefined, undefined]);
});
