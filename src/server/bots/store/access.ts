import { eq } from 'drizzle-orm';
import { type BotAccess, botAccess } from '#domain/bots/bot-access.ts';
import type { Clock } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { users } from '#server/db/schema/users.ts';
import type { PlanOf } from '#server/modules/allowances/service.ts';

/** Returns whether a user's plan or account age allows trading with bots. */
export type AccessOf = (db: Db, userId: string) => Promise<BotAccess>;

export const createAccessOf =
  ({ clock, planOf }: { clock: Clock; planOf: PlanOf }): AccessOf =>
  async (db, userId) => {
    const [user] = await db.select({ createdAt: users.createdAt }).from(users).where(eq(users.id, userId));
    if (!user) return botAccess(undefined, clock());
    const userSubscription = { planType: await planOf(db, userId) };
    return botAccess({ created_at: user.createdAt.toISOString(), userSubscription }, clock());
  };
