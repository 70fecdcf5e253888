import { expect, onTestFinished, test } from 'vitest';
import { createTurns } from '#server/db/embedded/turns.ts';

/** Keeps the process as a statement of the embedded database does. */
function work(ms: number): void {
  for (const since = performance.now(); performance.now() - since < ms; );
}

test('statements that follow each other let the process look for requests', async () => {
  const turn = createTurns();
  let served = 0;
  let next: NodeJS.Immediate;
  const serve = () => {
    served += 1;
    next = setImmediate(serve);
  };
  next = setImmediate(serve);
  onTestFinished(() => clearImmediate(next)); // else it runs on in the files that this worker tests later
  for (let statement = 0; statement < 6; statement++) {
    work(15);
    await turn();
  }
  expect(served).toBeGreaterThan(1);
});

test('a statement waits for nothing while the process is idle', async () => {
  const turn = createTurns();
  expect(turn()).toBeUndefined();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  work(30);
  expect(turn()).toBeUndefined();
});
