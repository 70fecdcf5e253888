import { call } from '#client/platform/api/call.ts';
import { isMissing } from '#client/platform/api/errors.ts';
import { upload } from '#client/platform/api/upload.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { ARCHIVES, type ArchiveEdit } from '#client/platform/outbox/archives.ts';
import type { HttpLane } from '#client/platform/outbox/http-lanes.ts';
import { PINS, type Pin } from '#client/platform/outbox/pins.ts';
import { archiveAnswer } from '#contract/chat/archive.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { SENT } from './archives.ts';
import { postponeUnborn } from './unborn.ts';

/** Notes that the server has taken a change: lists that were asked for before may lack it. */
const taken = (db: UserDb) => db.stamps.put({ key: SENT, savedAt: Date.now() });

/** Sends renames and deletions, then calls `onSent`, for example to reload the list. */
export const archiveEditsLane = (onSent: () => void): HttpLane<ArchiveEdit> => ({
  name: ARCHIVES,
  async send(db, { id, body: { archiveId, title } }) {
    const path = `/archive/${encodeURIComponent(archiveId)}`;
    try {
      if (title === null) await call(path, { method: 'DELETE', key: id, answer: messageAnswer });
      else {
        await postponeUnborn(db, archiveId);
        const form = new FormData();
        form.set('archiveTitle', title);
        await upload(`${path}/title`, { method: 'PATCH', form, key: id, answer: archiveAnswer, onProgress: () => {} });
      }
    } catch (error) {
      // Deleted on another device, or never sent.
      if (!isMissing(error)) throw error;
    }
    await taken(db);
    onSent();
  },
});

/** Sends pins, then calls `onSent`. */
export const pinsLane = (onSent: () => void): HttpLane<Pin> => ({
  name: PINS,
  async send(db, { id, body: { archiveId, pinned } }) {
    try {
      await postponeUnborn(db, archiveId);
      await call(`/archive/${encodeURIComponent(archiveId)}/pin`, { method: 'PUT', body: { pinned }, key: id, answer: archiveAnswer });
    } catch (error) {
      // Deleted on another device.
      if (!isMissing(error)) throw error;
    }
    await taken(db);
    onSent();
  },
});
