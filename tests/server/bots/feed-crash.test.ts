import { expect, test } from 'vitest';
import { runFeedCrashes } from '#tests/faults/feed-changes.ts';

test.concurrent.each(['live', 'replay'] as const)(
  'killed while paper money leaves the feed "%s", each position closes once, with its reason',
  {
    timeout: 300_000,
  },
  async (from) => {
    const report = await runFeedCrashes({ kills: 1, seed: 14, from });
    expect(report).toEqual({ kills: 1, faults: [] });
  },
);
