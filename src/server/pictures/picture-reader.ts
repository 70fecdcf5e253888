import { Worker } from 'node:worker_threads';
import { type ChartReading, chartReading } from '../../contract/chart-reading';
import { createSlots } from '../slots';

export interface PictureReader {
  /** What a picture shows. Rejects when it cannot be read, or with the signal's reason. One picture at a time. */
  read(picture: { bytes: Uint8Array }, signal: AbortSignal): Promise<ChartReading>;
  close(): Promise<void>;
}

/** An idle thread gives its memory back after this, ms. */
const IDLE = 60_000;

/**
 * Reads pictures in a thread of its own, so that nobody else waits while one is looked at. A reading that nobody wants
 * any more takes its thread with it: there is no other way to end it.
 */
export function createPictureReader(thread: URL): PictureReader {
  let worker: Worker | undefined;
  const inTurn = createSlots(1);
  let idle: NodeJS.Timeout | undefined;

  async function dismiss(): Promise<void> {
    const leaving = worker;
    worker = undefined;
    await leaving?.terminate();
  }

  async function readNow(bytes: Uint8Array, signal: AbortSignal): Promise<ChartReading> {
    clearTimeout(idle);
    worker ??= new Worker(thread);
    const reader = worker;
    let settle = () => {};
    try {
      return await new Promise<ChartReading>((resolve, reject) => {
        const stop = () => {
          void dismiss();
          reject(signal.reason);
        };
        const fail = (error: unknown) => {
          if (worker === reader) worker = undefined;
          reject(error);
        };
        const take = (message: { reading?: unknown; error?: string }) =>
          message.error === undefined ? resolve(chartReading.parse(message.reading)) : reject(new Error(message.error));
        signal.addEventListener('abort', stop);
        reader.on('error', fail).on('exit', fail).on('message', take).ref();
        reader.postMessage(bytes);
        settle = () => {
          signal.removeEventListener('abort', stop);
          reader.off('error', fail).off('exit', fail).off('message', take).unref();
        };
      });
    } finally {
      settle();
      idle = setTimeout(() => void dismiss(), IDLE).unref();
    }
  }

  return {
    read: ({ bytes }, signal) =>
      inTurn(async () => {
        signal.throwIfAborted();
        return readNow(bytes, signal);
      }),
    async close() {
      clearTimeout(idle);
      await dismiss();
    },
  };
}
