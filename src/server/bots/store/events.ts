import { and, desc, eq } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import { botEvents } from '#server/db/schema/bots.ts';

export type EventRow = typeof botEvents.$inferSelect;
export type NewEvent = Pick<EventRow, 'actor' | 'kind' | 'text'> & { key?: string };

/** Events in one report. */
const MAX_SHOWN = 200;

/** A journal entry and its date in ms. */
export interface DatedEvent {
  botId: string;
  event: NewEvent;
  at: number;
}

/** Appends to bots' journals and skips events whose key a journal already has. Returns true for each event it added. */
export async function addEvents(tx: Db, events: readonly DatedEvent[]): Promise<boolean[]> {
  if (events.length === 0) return [];
  const rows = events.map(({ botId, event: { actor, kind, text, key }, at }) => ({
    botId,
    actor,
    kind,
    text,
    key,
    createdAt: new Date(at),
  }));
  const added = await tx.insert(botEvents).values(rows).onConflictDoNothing().returning({ botId: botEvents.botId, key: botEvents.key });
  const nameOf = (botId: string, key: string) => `${botId} ${key}`;
  const names = new Set(added.map(({ botId, key }) => nameOf(botId, key ?? '')));
  return events.map(({ botId, event: { key } }) => key === undefined || names.has(nameOf(botId, key)));
}

/** Appends one event; false if the journal already has its key. */
export const addEvent = async (tx: Db, botId: string, event: NewEvent, at: number): Promise<boolean> =>
  (await addEvents(tx, [{ botId, event, at }]))[0] === true;

/** Returns the latest events, newest first. */
export const findEvents = (db: Db, botId: string, limit = MAX_SHOWN): Promise<EventRow[]> =>
  db.select().from(botEvents).where(eq(botEvents.botId, botId)).orderBy(desc(botEvents.createdAt), desc(botEvents.id)).limit(limit);

/** Returns the latest event of a kind. */
export async function findLastEvent(db: Db, botId: string, kind: string): Promise<EventRow | undefined> {
  const ofKind = and(eq(botEvents.botId, botId), eq(botEvents.kind, kind));
  return (await db.select().from(botEvents).where(ofKind).orderBy(desc(botEvents.createdAt)).limit(1))[0];
}
