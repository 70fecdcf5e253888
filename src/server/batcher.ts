import { setTimeout as sleep } from 'node:timers/promises';

/** Default limit of items in one batch. */
const MAX_BATCH = 250;

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

interface Options {
  /** Items in one batch. */
  maxBatch?: number;
  /** Time between two batches, ms: the longer it is, the fewer they are. */
  pause?: number;
}

/**
 * Returns a function that runs single items in batches: items that arrive while a batch runs form the next one. If a
 * batch fails as a whole, it is retried item by item. Never call it inside a transaction: the batch waits for its end.
 * @param run returns one answer per item, in order; an Error rejects that item alone
 */
export function createBatcher<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>,
  { maxBatch = MAX_BATCH, pause = 0 }: Options = {},
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let isRunning = false;

  async function runBatch(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const answer = answers[index] as Answer | Error;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const item of batch) await runBatch([item]);
    }
  }

  async function runBatches(): Promise<void> {
    isRunning = true;
    for (;;) {
      // Callers that the last batch resolved can add their next item before this batch starts.
      await new Promise(setImmediate);
      if (waiting.length === 0) break;
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      await runBatch(batch);
      if (pause > 0) await sleep(pause);
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runBatches();
    });
}
