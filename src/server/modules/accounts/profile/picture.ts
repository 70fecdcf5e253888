import { decodeInTurn } from '#server/pictures/decode-turn.ts';
import { openPicture, refuseBroken } from '#server/pictures/open-picture.ts';
import { explainRefusal } from '#server/pictures/refusal.ts';

/** Pixels of a side: enough for the largest place it is shown in, on the densest screen. */
const SIDE = 512;

const explain = explainRefusal({ subject: 'The photo', types: 'a PNG or JPEG image', field: 'profile_picture', code: 'picture' });

/**
 * A square WebP of an uploaded PNG or JPEG, turned upright, with nothing of its metadata left. What it claims to be does
 * not count: its first bytes do. Throws 400 for anything else, for too many pixels and for a picture that cannot be read.
 */
export const readPicture = (userId: string, file: string): Promise<Buffer> => decodeInTurn(userId, () => squareWebp(file)).catch(explain);

async function squareWebp(file: string): Promise<Buffer> {
  const { image, width, height } = await openPicture(file, ['png', 'jpeg']);
  const side = Math.min(SIDE, width, height);
  return image.resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer().catch(refuseBroken);
}
