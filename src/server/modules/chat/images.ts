import type { Clock } from '../../../domain/clock';
import { holdUser } from '../../db/hold-user';
import type { Db, Tx } from '../../db/open';
import { Problem } from '../../http/errors';
import type { Picture } from '../../ports/analyst/analyst';
import { deleteUnused, findPicture, findPreview, insertImage, pruneUnused, touchImage } from './image-store';
import { redrawImage } from './redraw-image';

/** Images that a user may have stored before asking anything with them; older ones make room. */
const WAITING = 50;

export type Images = ReturnType<typeof createImages>;

/** The pictures of questions: stored before their question, under an id of the device's choice. */
export function createImages({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** Stores an image; the same again under the same id changes nothing. 400 for what is none, 409 for another one. */
    async store(userId: string, id: string, file: Buffer): Promise<{ id: string; width: number; height: number }> {
      const image = await redrawImage(file);
      await db.transaction(async (tx) => {
        await holdUser(tx, userId);
        const stored = await insertImage(tx, userId, id, image, new Date(clock()));
        if (!stored?.equals(image.bytes)) throw new Problem(409, 'image_id_taken', 'Another image has this id.');
        await pruneUnused(tx, userId, WAITING);
      });
      return { id, width: image.width, height: image.height };
    },

    /** Takes an image for a question. 409 when it is not there. */
    async use(tx: Tx, userId: string, id: string): Promise<void> {
      if (await touchImage(tx, userId, id, new Date(clock()))) return;
      throw new Problem(409, 'image_missing', 'The image did not arrive. It is sent again.');
    },

    /** An image whole or small; undefined when it is not this user's. */
    find: (userId: string, id: string, size: 'whole' | 'small'): Promise<Picture | undefined> =>
      size === 'whole' ? findPicture(db, userId, id) : findPreview(db, userId, id),

    /** Deletes those of the images that no question shows. */
    forget: deleteUnused,
  };
}
