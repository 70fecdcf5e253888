import { MAX_PICTURE_PIXELS } from '../../../contract/profile';
import { badRequest } from '../../http/errors';

/** Pixels of a side: enough for the largest place it is shown in, on the densest screen. */
const SIDE = 512;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** One at a time: a decoded picture can be large, and there are few cores. */
let last: Promise<unknown> = Promise.resolve();

/**
 * A square WebP of an uploaded PNG or JPEG, turned upright, with nothing of its metadata left. What it claims to be does
 * not count: its first bytes do. Throws 400 for anything else, for too many pixels and for a picture that cannot be read.
 */
export function readPicture(file: Buffer): Promise<Buffer> {
  const read = last.then(() => squareWebp(file));
  last = read.catch(() => undefined);
  return read;
}

async function squareWebp(file: Buffer): Promise<Buffer> {
  if (!startsWith(file, PNG) && !startsWith(file, JPEG)) throw refusal('picture_type', 'The photo must be a PNG or JPEG image.');
  // Loaded with the first picture: a server without one stays small.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(file, { failOn: 'truncated', limitInputPixels: false });
  // Only the header is read for this; nothing is decoded before its size is known.
  const { width, height } = await image.metadata().catch(unreadable);
  if (width * height > MAX_PICTURE_PIXELS) {
    throw refusal('picture_pixels', `The photo has more than ${MAX_PICTURE_PIXELS / 1_000_000} million pixels.`);
  }
  const side = Math.min(SIDE, width, height);
  return image.rotate().resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer().catch(unreadable);
}

const startsWith = (file: Buffer, magic: Buffer) => file.subarray(0, magic.length).equals(magic);

function unreadable(): never {
  throw refusal('picture_broken', 'The photo cannot be read.');
}

const refusal = (code: string, message: string) => badRequest(code, message, { fields: { profile_picture: message } });
