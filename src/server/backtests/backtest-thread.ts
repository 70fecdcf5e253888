import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Work } from './backtest-runner.ts';
import { NothingToTrade, runRequest } from './run-request.ts';

const { request, isAwaited } = workerData as Work;
// Requests have priority, but a busy machine must not stop the run. Only Linux can lower one thread and not the whole process.
if (process.platform === 'linux' && !isAwaited) os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);

/** Worker thread of backtest-runner.ts: runs the backtest in `workerData`, reports progress, and posts the result. */
try {
  const result = runRequest(request, (progress) => parentPort?.postMessage({ progress }));
  parentPort?.postMessage({ result });
} catch (error) {
  if (!(error instanceof NothingToTrade)) throw error;
  parentPort?.postMessage({ refusal: error.message });
}
