import { decodeInTurn } from '#server/pictures/decode-turn.ts';
import { openPicture, refuseBroken } from '#server/pictures/open-picture.ts';
import { explainRefusal } from '#server/pictures/refusal.ts';

/** Pixels per side: enough for the largest display size on the densest screen. */
const SIDE = 512;

const explain = explainRefusal({ subject: 'The photo', types: 'a PNG or JPEG image', field: 'profile_picture', code: 'picture' });

/**
 * Converts an uploaded PNG or JPEG to a square, upright WebP without metadata. The first bytes decide the type, not the
 * declared one. Throws 400 for other types, too many pixels and unreadable pictures.
 */
export const readPicture = (userId: string, file: string): Promise<Buffer> => decodeInTurn(userId, () => squareWebp(file)).catch(explain);

async function squareWebp(file: string): Promise<Buffer> {
  const { image, width, height } = await openPicture(file, ['png', 'jpeg']);
  const side = Math.min(SIDE, width, height);
  return image.resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer().catch(refuseBroken);
}
