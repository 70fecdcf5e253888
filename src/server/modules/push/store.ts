import { and, desc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { destinations } from '#server/db/schema/deliveries.ts';
import { sessions } from '#server/db/schema/sessions.ts';

/** First number of the advisory locks of endpoints. No other lock has it. */
const ENDPOINT_LOCK = 7303;

const isBrowser = eq(destinations.channel, 'push');
const isOfSession = (userId: string, sessionId: string) =>
  and(eq(destinations.userId, userId), isBrowser, sql`${destinations.details}->>'session' = ${sessionId}`);

/** Returns whether the session is open, and keeps it open until the transaction ends. */
export async function holdSession(tx: Tx, sessionId: string): Promise<boolean> {
  const open = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
    .for('share');
  return (await open).length > 0;
}

interface Browser {
  userId: string;
  address: string;
  details: { p256dh: string; auth: string; session: string; hidesAmounts: boolean };
  createdAt: Date;
}

/** Stores the browser of a session, in place of what the session or the address had before. Lock the user's row first. */
export async function putBrowser(tx: Tx, browser: Browser): Promise<void> {
  const { userId, address, details } = browser;
  await tx.execute(sql`select pg_advisory_xact_lock(${ENDPOINT_LOCK}, hashtext(${address}))`);
  const own = isOfSession(userId, details.session);
  const ofAddress = and(isBrowser, eq(destinations.address, address));
  // A browser that is confirmed keeps its row, and with it the messages that still wait.
  await tx.delete(destinations).where(or(and(own, ne(destinations.address, address)), and(ofAddress, ne(destinations.userId, userId))));
  const kept = await tx
    .update(destinations)
    .set({ details, failures: 0, endedAt: null, createdAt: browser.createdAt })
    .where(ofAddress)
    .returning({ id: destinations.id });
  if (kept.length === 0) await tx.insert(destinations).values({ ...browser, channel: 'push' });
}

/** Deletes all but a user's newest browsers. */
export async function keepNewestBrowsers(tx: Tx, userId: string, keep: number): Promise<void> {
  const oldest = tx
    .select({ id: destinations.id })
    .from(destinations)
    .where(and(eq(destinations.userId, userId), isBrowser))
    .orderBy(desc(destinations.createdAt), desc(destinations.id))
    .offset(keep);
  await tx.delete(destinations).where(inArray(destinations.id, oldest));
}

export async function deleteBrowser(db: Db, userId: string, sessionId: string): Promise<void> {
  await db.delete(destinations).where(isOfSession(userId, sessionId));
}

/** Returns the owner and the details of the browser at an address. */
export async function findBrowser(tx: Tx, address: string) {
  const [row] = await tx
    .select({ userId: destinations.userId, details: destinations.details })
    .from(destinations)
    .where(and(isBrowser, eq(destinations.address, address)));
  return row;
}
