import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Own } from '#domain/analyst/own.ts';
import { monthOf } from '#domain/plans/allowance.ts';

/** What this device has stored of the signed-in user's bots and plan, with the time when it was fetched. `clock`: ms UTC. */
export const deviceOwn = (db: UserDb, clock = Date.now): Own => ({
  async plan() {
    const [user] = await db.profile.toArray();
    const stamp = user && (await db.stamps.get(`profile/${user.id}`));
    // What was left of an earlier month says nothing of this one.
    if (!stamp || monthOf(stamp.savedAt) !== monthOf(clock())) return undefined;
    return { ...user.userSubscription, asOf: stamp.savedAt };
  },
  async bots() {
    const stamp = await db.stamps.get('bots');
    return stamp && { bots: await db.bots.orderBy('created_at').toArray(), asOf: stamp.savedAt };
  },
});
