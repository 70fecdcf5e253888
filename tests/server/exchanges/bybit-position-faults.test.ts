import { test } from 'vitest';
import { openFaultStage } from '#tests/support/bots/bybit/fault-rows.ts';
import { heldFaults } from '#tests/support/bots/bybit/matrix/position-faults.ts';
import { openStage } from '#tests/support/bots/bybit/rig.ts';

const { run } = openFaultStage(openStage);

test.each(heldFaults)('$fault: $end', { timeout: 30_000 }, (row) => run(row));
