import { eq, inArray } from 'drizzle-orm';
import { changeRows } from '#server/db/change-rows.ts';
import type { Tx } from '#server/db/open.ts';
import { botOrders, botSignals, bots } from '#server/db/schema/bots.ts';
import { moveGuards } from './risk-guards.ts';

/**
 * Moves what the bots of the paper exchange remember to a feed whose time is `by` ms later and begins at `now`. Signals and orders
 * of candles belong to the feed before. A process that still runs these bots loses their leases, and can't write.
 */
export async function moveBots(tx: Tx, { by, now }: { by: number; now: number }): Promise<void> {
  const { id, guards, fillsSeenTo, fence } = bots;
  const rows = await tx.select({ id, guards, fillsSeenTo, fence }).from(bots).where(eq(bots.exchange, 'paper')).for('no key update');
  await changeRows(tx, bots, {
    key: ['id'],
    set: ['guards', 'fillsSeenTo', 'handledCandle', 'lastExchangeAt', 'leaseOwner', 'leaseUntil', 'fence'],
    rows: rows.map((row) => ({
      ...{ id: row.id, guards: moveGuards(row.guards, { by, now }), fillsSeenTo: row.fillsSeenTo + by, fence: row.fence + 1 },
      // Makes a cycle due at once.
      ...{ handledCandle: null, lastExchangeAt: null, leaseOwner: null, leaseUntil: null },
    })),
  });
  const paperBots = tx.select({ id }).from(bots).where(eq(bots.exchange, 'paper'));
  await tx.update(botOrders).set({ candle: null }).where(inArray(botOrders.botId, paperBots));
  await tx.delete(botSignals);
}
