import { expect, test } from 'vitest';
import { runDeliveryCrashes } from '#tests/faults/deliveries/delivery-crashes.ts';

test('processes that are killed while they send lose no notification, and the database knows each as sent once', {
  timeout: 300_000,
}, async () => {
  const { kills, states, times } = await runDeliveryCrashes({ kills: 6, seed: 11 });
  expect(kills).toBe(6);
  const count = Object.values(times).reduce((sum, one) => sum + one, 0);
  expect(count).toBeGreaterThanOrEqual(24);
  // Each one arrived, and a kill between send and record repeats those on their way under the same id.
  expect(states).toEqual({ sent: count });
  const repeats = Object.entries(times).reduce((sum, [often, messages]) => sum + (Number(often) - 1) * messages, 0);
  expect(repeats).toBeLessThanOrEqual(kills * 8);
});
