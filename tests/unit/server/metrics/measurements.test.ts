import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { measure, onMeasured } from '#server/metrics/measurements.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('measurements arrive also if garbage was collected between the first of their kind and the first listener', async () => {
  measure('sockets', { change: 1 });
  await nextTurn();
  collectGarbage();
  let sum = 0;
  const end = onMeasured('sockets', ({ change }) => {
    sum += change;
  });
  for (let turns = 0; turns < 10; turns++) await nextTurn();
  measure('sockets', { change: 1 });
  end();
  measure('sockets', { change: 1 });
  expect(sum).toBe(1);
});
