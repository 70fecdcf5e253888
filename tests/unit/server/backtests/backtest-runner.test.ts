import { afterEach, describe, expect, it } from 'vitest';
import { BacktestFailed, type BacktestRunner, createBacktestRunner } from '#server/backtests/backtest-runner.ts';
import { type BacktestRequest, NothingToTrade, runRequest } from '#server/backtests/run-request.ts';

const request: BacktestRequest = { interval: '1h', from: Date.UTC(2023, 1, 1), to: Date.UTC(2023, 1, 3), capital: 1000, leverage: 15 };
const result = runRequest(request, () => undefined);
const asked = (capital: number): BacktestRequest => ({ ...request, capital });

/** A thread that does what the request's capital says. */
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from 'node:worker_threads';
    parentPort.postMessage({ progress: 0.5 });
    if (workerData.request.capital === 1) throw new Error('broken');
    if (workerData.request.capital === 2) for (;;);
    if (workerData.request.capital === 6) for (;;) Atomics.add(workerData.request.data, 0, 1);
    if (workerData.request.capital === 3) process.exit(0);
    if (workerData.request.capital === 4) parentPort.postMessage({ refusal: 'No candles.' });
    else if (workerData.request.capital === 5) parentPort.postMessage({ result: { profit: NaN } });
    else parentPort.postMessage({ result: ${JSON.stringify(result)} });`)}`,
);
const patient = { signal: new AbortController().signal };

let runner: BacktestRunner;
afterEach(() => runner.close());

describe('running backtests in worker threads', () => {
  it('returns the result and reports progress from 0 on', async () => {
    runner = createBacktestRunner(thread);
    const progress: number[] = [];
    expect(await runner.run(request, { ...patient, onProgress: (done) => progress.push(done) })).toEqual(result);
    expect(progress).toEqual([0, 0.5]);
  });

  it('fails when the thread fails, ends or has nothing to trade, and runs the next one', async () => {
    runner = createBacktestRunner(thread);
    await expect(runner.run(asked(1), patient)).rejects.toThrow(BacktestFailed);
    await expect(runner.run(asked(3), patient)).rejects.toThrow('The backtest ended without a result.');
    await expect(runner.run(asked(5), patient)).rejects.toThrow('The backtest ended with an unreadable result.');
    await expect(runner.run(asked(4), patient)).rejects.toThrow(new NothingToTrade('No candles.'));
    expect(await runner.run(request, patient)).toEqual(result);
  });

  it('cancels a run, and one that waits for its thread', async () => {
    runner = createBacktestRunner(thread);
    const first = new AbortController();
    const second = new AbortController();
    let endless: Promise<unknown> = Promise.resolve();
    await new Promise<unknown>((started) => {
      endless = runner.run(asked(2), { signal: first.signal, onProgress: started });
    });
    const waiting = runner.run(asked(2), { signal: second.signal });
    second.abort(new Error('not wanted'));
    first.abort(new Error('canceled'));
    await expect(endless).rejects.toThrow('canceled');
    await expect(waiting).rejects.toThrow('not wanted');
    expect(await runner.run(request, patient)).toEqual(result);
  });

  it('ends the thread of a canceled run', async () => {
    runner = createBacktestRunner(thread);
    const turns = new Int32Array(new SharedArrayBuffer(4));
    const canceled = new AbortController();
    const endless = runner.run({ ...asked(6), data: turns } as never, {
      signal: canceled.signal,
      onProgress: (done) => done > 0 && canceled.abort(new Error('canceled')),
    });
    await expect(endless).rejects.toThrow('canceled');
    const before = turns[0];
    await runner.run(request, patient);
    expect(turns[0]).toBe(before);
  });

  it('runs a backtest that a request waits for beside the others', async () => {
    runner = createBacktestRunner(thread);
    const canceled = new AbortController();
    let endless: Promise<unknown> = Promise.resolve();
    await new Promise<unknown>((started) => {
      endless = runner.run(asked(2), { signal: canceled.signal, onProgress: started });
    });
    expect(await runner.run(request, { ...patient, isAwaited: true })).toEqual(result);
    canceled.abort(new Error('canceled'));
    await expect(endless).rejects.toThrow('canceled');
  });

  it('ends a run at its time limit', async () => {
    runner = createBacktestRunner(thread, { limit: 300 });
    await expect(runner.run(asked(2), patient)).rejects.toThrow('The backtest took longer than 0.3 seconds.');
  });

  it('ends all runs when it closes', async () => {
    runner = createBacktestRunner(thread);
    const runs = [runner.run(asked(2), patient), runner.run(asked(2), patient)];
    await runner.close();
    for (const run of runs) await expect(run).rejects.toThrow('The server stopped during this backtest.');
  });
});
