import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { readChart } from '#domain/chart-reading/read-chart.ts';
import { decodePicture } from './decode-picture.ts';

// Requests have priority. Only Linux can lower one thread; elsewhere this would slow the whole process.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);

/** Worker thread of picture-reader.ts: receives a picture's bytes and replies with what it shows. */
parentPort?.on('message', async (bytes: Uint8Array) => {
  try {
    parentPort?.postMessage({ reading: readChart(await decodePicture(bytes)) });
  } catch (error) {
    parentPort?.postMessage({ error: (error as Error).message });
  }
});
