import { Worker } from 'node:worker_threads';
import { type ChartReading, chartReading } from '#contract/chat/chart-reading.ts';
import { SECOND } from '#domain/clock.ts';
import { createSlots } from '../slots.ts';

export interface PictureReader {
  /** Reads what a picture shows. Rejects with PictureUnreadable for a bad picture, or with the signal's reason. */
  read(picture: { bytes: Uint8Array }, signal: AbortSignal): Promise<ChartReading>;
  close(): Promise<void>;
}

interface Options {
  /** Maximum number of threads. Each reads one picture at a time. */
  threads?: number;
  /** Time limit per picture, ms, from when a thread starts to read it. */
  limit?: number;
}

/** A picture that is broken, takes too long or crashes the thread. A retry would fail the same way. */
export class PictureUnreadable extends Error {}

/** Idle time after which a thread ends to free its memory, ms. */
const IDLE = 60 * SECOND;
/** Many times the work of a picture, because a busy machine keeps a thread of low priority waiting. Shorter than an answer may take. */
const LIMIT = 45 * SECOND;
const MEMORY = { maxOldGenerationSizeMb: 256 };

/** A thread's reply about a picture. */
interface Answer {
  reading?: unknown;
  error?: string;
}

interface Reader {
  worker: Worker;
  idleTimer?: NodeJS.Timeout;
}

/**
 * Reads pictures in worker threads, so that no request waits. A thread that takes too long, or whose signal is aborted,
 * is terminated because it cannot be interrupted. The next picture gets a new thread.
 */
export function createPictureReader(thread: URL, { threads = 1, limit = LIMIT }: Options = {}): PictureReader {
  const inSlot = createSlots(threads);
  const readers = new Set<Reader>();
  const idle: Reader[] = [];

  function open(): Reader {
    const reader: Reader = { worker: new Worker(thread, { resourceLimits: MEMORY }) };
    readers.add(reader);
    reader.worker.on('error', () => undefined).on('exit', () => forget(reader));
    return reader;
  }

  function forget(reader: Reader): void {
    clearTimeout(reader.idleTimer);
    readers.delete(reader);
    const place = idle.indexOf(reader);
    if (place >= 0) idle.splice(place, 1);
  }

  async function end(reader: Reader): Promise<void> {
    forget(reader);
    await reader.worker.terminate();
  }

  async function read(bytes: Uint8Array, signal: AbortSignal): Promise<ChartReading> {
    signal.throwIfAborted();
    const reader = idle.pop() ?? open();
    clearTimeout(reader.idleTimer);
    const answer = await ask(reader.worker, { bytes, signal, limit }).catch((error: unknown) => {
      void end(reader);
      throw error;
    });
    idle.push(reader);
    reader.idleTimer = setTimeout(() => void end(reader), IDLE).unref();
    if (answer.error !== undefined) throw new PictureUnreadable(answer.error);
    return chartReading.parse(answer.reading);
  }

  return {
    read: ({ bytes }, signal) => inSlot(() => read(bytes, signal)),
    close: async () => void (await Promise.all([...readers].map(end))),
  };
}

interface Asked {
  bytes: Uint8Array;
  signal: AbortSignal;
  /** ms. */
  limit: number;
}

/** Returns the thread's reply; rejects when the thread fails, times out or is aborted. */
function ask(worker: Worker, { bytes, signal, limit }: Asked): Promise<Answer> {
  let settle = () => {};
  const answered = new Promise<Answer>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const die = () => reject(new PictureUnreadable('The picture ended its reader'));
    const timer = setTimeout(() => reject(new PictureUnreadable(`Not read within ${limit} ms`)), limit);
    signal.addEventListener('abort', stop);
    worker.on('error', die).on('exit', die).on('message', resolve).ref();
    worker.postMessage(bytes);
    settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      worker.off('error', die).off('exit', die).off('message', resolve).unref();
    };
  });
  return answered.finally(() => settle());
}
