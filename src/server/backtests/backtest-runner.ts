import { Worker } from 'node:worker_threads';
import { type BacktestResult, backtestResult } from '#contract/bots/backtest.ts';
import { MINUTE } from '#domain/clock.ts';
import { createSlots } from '../slots.ts';
import { type BacktestRequest, NothingToTrade } from './run-request.ts';

interface Watch {
  /** Ends the run: its thread is terminated, because it cannot be interrupted. */
  signal: AbortSignal;
  /** Receives the progress, 0 to 1. Called with 0 when the run starts. */
  onProgress?: (done: number) => void;
  /** A request waits for this short run: it has a thread and a priority of its own. */
  isAwaited?: boolean;
}

export interface BacktestRunner {
  /** Runs a backtest in a free thread. Rejects with `NothingToTrade`, `BacktestFailed` or the signal's reason. */
  run(request: BacktestRequest, watch: Watch): Promise<BacktestResult>;
  /** Ends all runs. */
  close(): Promise<void>;
}

/** A run that took too long or ended its thread. */
export class BacktestFailed extends Error {}

/** What a thread runs. */
export interface Work {
  request: BacktestRequest;
  isAwaited: boolean;
}

/** A message from a thread. */
interface Posted {
  progress?: number;
  result?: unknown;
  refusal?: string;
}

const LIMIT = 2 * MINUTE;
const MEMORY = { maxOldGenerationSizeMb: 512 };

interface Options {
  /** Maximum number of threads. Further runs wait. */
  threads?: number;
  /** Time limit of a run, ms, from when its thread starts. */
  limit?: number;
}

/** Runs backtests in worker threads, so that they do not delay requests. Each run has its own thread, which frees its memory at the end. */
export function createBacktestRunner(thread: URL, { threads = 1, limit = LIMIT }: Options = {}): BacktestRunner {
  const inSlot = createSlots(threads);
  const inAwaitedSlot = createSlots(1);
  const closing = new AbortController();

  return {
    run(request, { signal, onProgress = () => undefined, isAwaited = false }) {
      const watch = { onProgress, isAwaited, signal: AbortSignal.any([signal, closing.signal]) };
      return (isAwaited ? inAwaitedSlot : inSlot)(() => runInThread({ thread, request, limit, ...watch }));
    },
    close: async () => closing.abort(new BacktestFailed('The server stopped during this backtest.')),
  };
}

interface Run extends Required<Watch> {
  thread: URL;
  request: BacktestRequest;
  limit: number;
}

async function runInThread({ thread, request, limit, signal, onProgress, isAwaited }: Run): Promise<BacktestResult> {
  signal.throwIfAborted();
  onProgress(0);
  const worker = new Worker(thread, { workerData: { request, isAwaited } satisfies Work, resourceLimits: MEMORY });
  try {
    const posted = await new Promise<unknown>((resolve, reject) => {
      const late = setTimeout(() => reject(new BacktestFailed(`The backtest took longer than ${limit / 1000} seconds.`)), limit);
      worker.once('exit', () => clearTimeout(late));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      worker.on('error', (cause) => reject(new BacktestFailed('The backtest ended with an error.', { cause })));
      worker.on('exit', () => reject(new BacktestFailed('The backtest ended without a result.')));
      worker.on('message', ({ progress, result, refusal }: Posted) => {
        if (progress !== undefined) onProgress(progress);
        else if (refusal !== undefined) reject(new NothingToTrade(refusal));
        else resolve(result);
      });
    });
    const { data, error } = backtestResult.safeParse(posted);
    if (error) throw new BacktestFailed('The backtest ended with an unreadable result.', { cause: error });
    return data;
  } finally {
    await worker.terminate();
  }
}
