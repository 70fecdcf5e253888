import { NetworkError } from '#client/platform/api/errors.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { unsentQuestions } from '#client/platform/outbox/questions.ts';

/** Throws NetworkError while a new conversation is still queued: its changes are sent after it. */
export async function refuseUnborn(db: UserDb, archiveId: string): Promise<void> {
  if ((await unsentQuestions(db)).some(({ body }) => body.newArchive && body.message.archive_id === archiveId))
    throw new NetworkError('unreachable');
}
