import type { Candle } from '#domain/market/candles.ts';
import { createRandom } from '#domain/random.ts';
import { targetOf } from '../entries.ts';
import { type Parameters, parametersFor } from '../parameters.ts';
import type { Entry, Signal } from '../signal.ts';
import { createStrategy } from '../strategy.ts';
import { type BacktestOptions, type BacktestResult, createRun } from './run-backtest.ts';

interface Options extends Omit<BacktestOptions, 'parameters'> {
  runs: number;
  seed: number;
}

/** What random entries share with the strategy's own. */
interface Habits {
  /** Entries per candle in a trend without a position. */
  rate: number;
  /** Distances of stops, in average true ranges. */
  risks: readonly number[];
}

/**
 * Repeats a backtest with entries at random times. They follow the same trend, are as frequent, draw the strategy's own stop distances,
 * and have its targets, exits, sizes and guards. The difference from the strategy is what its choice of entries earns.
 */
export function runControl(candles: readonly Candle[], { runs, seed, ...options }: Options): BacktestResult[] {
  const parameters = parametersFor(options.interval);
  const habits = observe(candles, options, parameters);
  const strategy = createStrategy(parameters);
  const seeds = createRandom(seed);
  const controls = Array.from({ length: runs }, () => ({ run: createRun(options), random: createRandom(seeds() * 2 ** 32) }));
  candles.forEach((candle, index) => {
    const signal = strategy.next(candle);
    const isWarm = index + 1 >= parameters.warmUp;
    for (const { run, random } of controls)
      run.next(candle, { ...signal, entry: isWarm ? randomEntry(signal, random, habits, parameters) : null, noEntry: null });
  });
  return controls.map(({ run }) => run);
}

function observe(candles: readonly Candle[], options: Omit<Options, 'runs' | 'seed'>, parameters: Parameters): Habits {
  const strategy = createStrategy(parameters);
  const run = createRun(options);
  const risks: number[] = [];
  let chances = 0;
  for (const candle of candles) {
    const signal = strategy.next(candle);
    run.next(candle, signal);
    const point = run.equity.at(-1);
    if (!point || point.exposed) continue;
    if (signal.trend !== 'flat') chances++;
    if (signal.entry) risks.push(Math.abs(candle.close - signal.entry.stop) / signal.atr);
  }
  return { rate: chances === 0 ? 0 : run.trades.length / chances, risks };
}

function randomEntry({ candle, trend, atr, levels }: Signal, random: () => number, habits: Habits, parameters: Parameters): Entry | null {
  if (trend === 'flat' || random() >= habits.rate) return null;
  const risk = (habits.risks[Math.floor(random() * habits.risks.length)] ?? 0) * atr;
  if (risk === 0) return null;
  const stop = candle.close - (trend === 'up' ? risk : -risk);
  const level = { price: candle.close, touches: 0, firstTouch: candle.time, lastTouch: candle.time, strength: 0, turned: 'low' } as const;
  const target = targetOf({ close: candle.close, stop, levels }, parameters);
  return { side: trend === 'up' ? 'long' : 'short', setup: 'bounce', level, stop, target };
}
