import { load } from '#client/platform/cache/resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { alertsResource, firingsResource } from './alerts-resource.ts';

/** Keeps the user's alerts and their history on the device. Throws without a connection or after a sign-out. */
export async function keepAlerts(db: UserDb, userId: string): Promise<void> {
  await Promise.all([load(db, alertsResource, { userId }), load(db, firingsResource, { userId })]);
}
