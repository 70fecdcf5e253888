import type { Clock } from '#domain/clock.ts';
import type { AfterResponse } from '#server/after-response.ts';
import { readContent, streamContent } from '#server/blobs/read-blob.ts';
import type { UserBlobs } from '#server/blobs/user-blobs.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { Problem } from '#server/http/errors.ts';
import type { Picture } from '#server/ports/analyst/analyst.ts';
import { deleteUnused, findPicture, findPreview, insertImage, type NamedPicture, pruneUnused, touchImage } from './image-store.ts';
import { redrawImage } from './redraw-image.ts';

/** Unused images kept per user; the oldest are deleted. */
const WAITING = 50;

export type Images = ReturnType<typeof createImages>;

/** Stores the pictures of questions. A device uploads a picture, under an id it chooses, before it asks the question. */
export function createImages({
  db,
  clock,
  blobs,
  afterResponse,
}: {
  db: Db;
  clock: Clock;
  blobs: UserBlobs;
  afterResponse: AfterResponse;
}) {
  const removeLater = (hashes: (string | null)[]): void => {
    if (hashes.length > 0) afterResponse.run(() => blobs.removeUnnamed(hashes));
  };

  return {
    /** Stores an image. A repeated upload renews its age alone. Throws 400 for an invalid image, 409 for a used id or a full quota. */
    async store(userId: string, id: string, file: string): Promise<{ id: string; width: number; height: number }> {
      const { bytes, preview, ...image } = await redrawImage(userId, file);
      const pruned = await blobs.keep([bytes, preview], (stored) =>
        db.transaction(async (tx) => {
          await lockUser(tx, userId);
          const [whole, small] = stored;
          if (!whole || !small) throw new Error('an image was not stored');
          const known = await findPicture(tx, userId, id);
          if (known && !isSame(known, whole.hash, bytes)) throw new Problem(409, 'image_id_taken', 'Another image has this id.');
          if (known) {
            // Its question comes next: cleanup must not take it for an old one in between.
            await touchImage(tx, userId, id, new Date(clock()));
            return [];
          }
          const freed = await pruneUnused(tx, userId, WAITING - 1);
          await blobs.claim(tx, userId, stored);
          const named = { ...whole, previewHash: small.hash, previewSize: small.size };
          await insertImage(tx, { userId, id, ...image, ...named, createdAt: new Date(clock()) });
          return freed;
        }),
      );
      removeLater(pruned);
      return { id, width: image.width, height: image.height };
    },

    /** Marks an image as used by a question. Throws 409 if it is not stored. */
    async use(tx: Tx, userId: string, id: string): Promise<void> {
      if (await touchImage(tx, userId, id, new Date(clock()))) return;
      throw new Problem(409, 'image_missing', 'The image did not arrive. It is sent again.');
    },

    /** Finds a user's image, in full size or as a preview. */
    find: (userId: string, id: string, size: 'whole' | 'small'): Promise<NamedPicture | undefined> =>
      size === 'whole' ? findPicture(db, userId, id) : findPreview(db, userId, id),

    /** Streams an image's content; undefined if the blob is missing. */
    open: (image: NamedPicture) => streamContent(blobs.store, image),

    /** Reads an image with its content; undefined if there is none. */
    async read(userId: string, id: string): Promise<Picture | undefined> {
      const image = await findPicture(db, userId, id);
      const bytes = image && (await readContent(blobs.store, image));
      return bytes && { type: image.type, bytes };
    },

    /** Deletes those of the images that no question uses. Call `removeFiles` after the commit. */
    async forget(tx: Tx, userId: string, ids: readonly string[]): Promise<{ removeFiles: () => void }> {
      const freed = await deleteUnused(tx, userId, ids);
      return { removeFiles: () => removeLater(freed) };
    },
  };
}

const isSame = (known: NamedPicture, hash: string, bytes: Buffer): boolean =>
  known.hash === null ? known.bytes?.equals(bytes) === true : known.hash === hash;
