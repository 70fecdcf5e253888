import { MAX_PICTURE_PIXELS } from '../../../contract/profile';
import { badRequest } from '../../http/errors';
import { openPicture, PictureRefused, type RefusalReason, refuseBroken } from '../../pictures/open-picture';

/** Pixels of a side: enough for the largest place it is shown in, on the densest screen. */
const SIDE = 512;

const REFUSALS: Record<RefusalReason, string> = {
  type: 'The photo must be a PNG or JPEG image.',
  pixels: `The photo has more than ${MAX_PICTURE_PIXELS / 1_000_000} million pixels.`,
  broken: 'The photo cannot be read.',
};

/** One at a time: a decoded picture can be large, and there are few cores. */
let last: Promise<unknown> = Promise.resolve();

/**
 * A square WebP of an uploaded PNG or JPEG, turned upright, with nothing of its metadata left. What it claims to be does
 * not count: its first bytes do. Throws 400 for anything else, for too many pixels and for a picture that cannot be read.
 */
export function readPicture(file: Buffer): Promise<Buffer> {
  const read = last.then(() => squareWebp(file)).catch(explain);
  last = read.catch(() => undefined);
  return read;
}

async function squareWebp(file: Buffer): Promise<Buffer> {
  const { image, width, height } = await openPicture(file, ['png', 'jpeg']);
  const side = Math.min(SIDE, width, height);
  return image.resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer().catch(refuseBroken);
}

function explain(error: unknown): never {
  if (!(error instanceof PictureRefused)) throw error;
  const message = REFUSALS[error.reason];
  throw badRequest(`picture_${error.reason}`, message, { fields: { profile_picture: message } });
}
