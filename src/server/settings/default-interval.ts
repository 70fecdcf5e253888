import { eq } from 'drizzle-orm';
import { INTERVAL_MS, type Interval } from '#domain/bots/intervals.ts';
import type { Db } from '#server/db/open.ts';
import { keptSettings } from '#server/db/schema/operations.ts';

const DEFAULT: Interval = '1h';

/** Returns the length of the bots' candles where `STRATEGY_INTERVAL` is not set, ms. Bots that exist keep the earlier default. */
export async function defaultInterval(db: Db): Promise<number> {
  const [kept] = await db.select().from(keptSettings).where(eq(keptSettings.name, 'STRATEGY_INTERVAL'));
  return INTERVAL_MS[(kept?.value as Interval | undefined) ?? DEFAULT];
}
