import type { UserDb } from '#client/platform/db/user-db.ts';
import { Postponed } from '#client/platform/outbox/outbox.ts';
import { isUnborn } from '#client/platform/outbox/questions.ts';

/** Throws Postponed while a new conversation is not sent, or refused: its changes are sent after it. */
export async function postponeUnborn(db: UserDb, archiveId: string): Promise<void> {
  if (await isUnborn(db, archiveId)) throw new Postponed('its conversation is not on the server');
}
