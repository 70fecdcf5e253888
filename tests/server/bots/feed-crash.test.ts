import { expect, test } from 'vitest';
import { runFeedCrashes } from '#tests/faults/feed-changes.ts';
import { isNightly } from '#tests/support/nightly.ts';

/** `npm run nightly` also kills the way back. */
const FEEDS = isNightly ? (['live', 'replay'] as const) : (['live'] as const);

test.concurrent.each(FEEDS)(
  'killed while paper money leaves the feed "%s", each position closes once, with its reason',
  {
    timeout: 300_000,
  },
  async (from) => {
    const report = await runFeedCrashes({ kills: 1, seed: 14, from });
    expect(report).toEqual({ kills: 1, faults: [] });
  },
);
