import { tooMany } from './http/errors.ts';

/** Runs at most `size` tasks at a time and queues the others. */
export function createSlots(size: number, limits: Pick<FairLimits, 'queue' | 'refusal'> = {}) {
  const inSlot = createFairSlots({ size, each: size, ...limits });
  return <T>(task: () => Promise<T>): Promise<T> => inSlot('', task);
}

interface FairLimits {
  /** Concurrent tasks. */
  size: number;
  /** Concurrent tasks of one owner. */
  each: number;
  /** Queued tasks of one owner; more are refused. */
  queue?: number;
  /** Creates the error of a refused task. Default: 429. */
  refusal?: () => Error;
}

/** Runs at most `size` tasks at a time, and at most `each` of one owner. Owners take turns, so that none can block the others. */
export function createFairSlots({ size, each, queue = Number.POSITIVE_INFINITY, refusal = tooMany }: FairLimits) {
  let free = size;
  const running = new Map<string, number>();
  /** Queued tasks by owner, next owner first. */
  const waiting = new Map<string, (() => void)[]>();

  const hasSlot = (owner: string) => free > 0 && (running.get(owner) ?? 0) < each;

  function take(owner: string): void {
    free -= 1;
    running.set(owner, (running.get(owner) ?? 0) + 1);
  }

  function release(owner: string): void {
    free += 1;
    const left = (running.get(owner) ?? 1) - 1;
    if (left > 0) running.set(owner, left);
    else running.delete(owner);
    startWaiting();
  }

  /** Starts queued tasks. An owner whose task starts moves to the end of the map, which this loop reaches again. */
  function startWaiting(): void {
    for (const [owner, starts] of waiting) {
      if (free === 0) return;
      if (!hasSlot(owner)) continue;
      const start = starts.shift();
      waiting.delete(owner);
      if (starts.length > 0) waiting.set(owner, starts);
      take(owner);
      start?.();
    }
  }

  return async <T>(owner: string, task: () => Promise<T>): Promise<T> => {
    if (hasSlot(owner)) take(owner);
    else if ((waiting.get(owner)?.length ?? 0) >= queue) throw refusal();
    else
      await new Promise<void>((resolve) => {
        const starts = waiting.get(owner);
        if (starts) starts.push(resolve);
        else waiting.set(owner, [resolve]);
      });
    try {
      return await task();
    } finally {
      release(owner);
    }
  };
}
