import type { BacktestRunner } from '#server/backtests/backtest-runner.ts';
import { runRequest } from '#server/backtests/run-request.ts';

/** Runs backtests in the test's own thread. */
export const inlineBacktests = (): BacktestRunner => ({
  async run(request, { signal, onProgress = () => undefined }) {
    signal.throwIfAborted();
    onProgress(0);
    return runRequest(request, onProgress);
  },
  close: async () => undefined,
});
