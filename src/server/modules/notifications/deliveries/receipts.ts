import { eq, sql } from 'drizzle-orm';
import type { ReceiptBody } from '#contract/notifications/receipt.ts';
import type { Db } from '#server/db/open.ts';
import { deliveries } from '#server/db/schema/deliveries.ts';
import { type CountClock, timeOf } from '#server/db/windows.ts';
import { isSameToken } from '#server/tokens/random-tokens.ts';
import type { DeliveryRow } from './store.ts';

/** Returns what a receiver of a delivery sends to acknowledge it. */
export const receiptToken = ({ id, receipt }: Pick<DeliveryRow, 'id' | 'receipt'>): string => `${id}.${receipt}`;

/** Records that a delivery was shown or opened, the first time that counts. Returns false for an unknown token. */
export async function acknowledge(db: Db, clock: CountClock, { token, event }: ReceiptBody): Promise<boolean> {
  const [id = '', receipt = ''] = token.split('.');
  const [row] = await db.select({ receipt: deliveries.receipt }).from(deliveries).where(eq(deliveries.id, id));
  if (!row || !isSameToken(row.receipt, receipt)) return false;
  const now = timeOf(clock);
  // What was opened was shown.
  const shown = { shownAt: sql`coalesce(${deliveries.shownAt}, ${now})` };
  const opened = event === 'opened' ? { openedAt: sql`coalesce(${deliveries.openedAt}, ${now})` } : {};
  await db
    .update(deliveries)
    .set({ ...shown, ...opened })
    .where(eq(deliveries.id, id));
  return true;
}
