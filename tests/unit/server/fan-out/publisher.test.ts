import { expect, test, vi } from 'vitest';
import { createPublisher } from '#server/fan-out/publisher.ts';
import { createGate } from '#tests/support/create-gate.ts';

const GAP = 'gap';
const log = { warn: vi.fn(), info: vi.fn() };

/** A channel that records batches, each after `ready` resolves. */
function recorder(ready: () => Promise<void>) {
  const batches: string[][] = [];
  const publisher = createPublisher({
    gapMessage: GAP,
    log,
    async send(messages) {
      await ready();
      batches.push([...messages]);
    },
  });
  return { batches, ...publisher };
}

test('messages that come while others are sent go together, in order', async () => {
  const { batches, add, close } = recorder(async () => undefined);
  add('1');
  add('2');
  await vi.waitFor(() => expect(batches).toEqual([['1', '2']]));
  for (let each = 0; each < 600; each++) add(`${each}`);
  await close();
  expect(batches.slice(1).map(({ length }) => length)).toEqual([250, 250, 100]);
  expect(batches.slice(1).flat()).toEqual(Array.from({ length: 600 }, (_, each) => `${each}`));
});

test('messages that come one after another wake up the other processes a few times', async () => {
  const { batches, add, close } = recorder(async () => undefined);
  const sent = Array.from({ length: 400 }, (_, each) => `${each}`);
  for (const message of sent) {
    add(message);
    await new Promise(setImmediate);
  }
  await close();
  expect(batches.flat()).toEqual(sent);
  expect(batches.length).toBeLessThan(100);
});

test('a flood delays no caller: what is too much is dropped, and the other processes learn that they missed something', async () => {
  const gate = createGate();
  const { batches, add, close } = recorder(() => gate.passed);
  for (let each = 0; each < 50_000; each++) add(`${each}`);
  gate.open();
  await close();
  expect(batches.flat()).toHaveLength(20_001);
  expect(batches.flat().filter((message) => message === GAP)).toHaveLength(1);
});

test('a batch that fails is sent again, and the failure is logged once', async () => {
  let failures = 2;
  log.warn.mockClear();
  const { batches, add, close } = recorder(async () => {
    if (failures-- > 0) throw new Error('away');
  });
  add('1');
  await vi.waitFor(() => expect(batches).toEqual([['1']]), { timeout: 30_000 });
  expect(log.warn).toHaveBeenCalledOnce();
  expect(log.info).toHaveBeenCalledOnce();
  await close();
});

test('closing ends the attempts', async () => {
  const { add, close } = recorder(() => Promise.reject(new Error('away')));
  add('1');
  await close();
});
