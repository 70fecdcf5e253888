import { expect, test } from 'vitest';
import { openFaultStage } from '#tests/support/bots/bybit/fault-rows.ts';
import { cruelFaults } from '#tests/support/bots/bybit/matrix/cruel-faults.ts';
import { orderFaults } from '#tests/support/bots/bybit/matrix/order-faults.ts';
import { heldFaults } from '#tests/support/bots/bybit/matrix/position-faults.ts';
import { openStage } from '#tests/support/bots/bybit/rig.ts';

const { run } = openFaultStage(openStage);

test.each(cruelFaults)('$fault: $end', { timeout: 30_000 }, (row) => run(row));

test('the matrix has at least 120 faults, each once', () => {
  const faults = [...orderFaults, ...heldFaults, ...cruelFaults].map(({ fault }) => fault);
  expect(faults.length).toBeGreaterThanOrEqual(120);
  expect(new Set(faults).size).toBe(faults.length);
});
