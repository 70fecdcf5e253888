import { badRequest } from '../../http/errors';

/** Pixels of the longer side, as the app scales to before it sends. */
const LONGEST = 2000;
const PREVIEW = 480;
const MAX_PIXELS = 50_000_000;
/** Above this, bytes, a picture without loss is no drawing, and loses nothing that matters as a JPEG. */
const MAX_LOSSLESS = 3 * 1024 * 1024;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const GIFS = [Buffer.from('GIF87a'), Buffer.from('GIF89a')];

/** A picture that was read and written anew, so that nothing of the file it came in is left. */
export interface RedrawnImage {
  type: 'image/png' | 'image/jpeg';
  bytes: Buffer;
  /** A small WebP. */
  preview: Buffer;
  width: number;
  height: number;
}

/** One at a time: a decoded picture can be large, and there are few cores. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a PNG, JPEG or GIF (its first frame), by what it is and not by what it is called, and writes it anew: upright,
 * without metadata, without loss where it came so. Throws 400 for what is none of these, too large or broken.
 */
export function redrawImage(file: Buffer): Promise<RedrawnImage> {
  const redrawn = last.then(() => redraw(file));
  last = redrawn.catch(() => undefined);
  return redrawn;
}

async function redraw(file: Buffer): Promise<RedrawnImage> {
  const lossy = startsWith(file, JPEG);
  if (!lossy && ![PNG, ...GIFS].some((magic) => startsWith(file, magic))) {
    throw refusal('image_type', 'The image must be a PNG, JPEG or GIF.');
  }
  // Loaded with the first picture: a server without one stays small.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const source = sharp(file, { failOn: 'truncated', limitInputPixels: false });
  // Only the header is read for this; nothing is decoded before its size is known.
  const { width, height } = await source.metadata().catch(unreadable);
  if (width * height > MAX_PIXELS) throw refusal('image_pixels', `The image has more than ${MAX_PIXELS / 1_000_000} million pixels.`);

  const drawn = source.rotate().resize(LONGEST, LONGEST, { fit: 'inside', withoutEnlargement: true });
  // Thin coloured lines are what a chart is made of: no chroma is left out.
  const jpeg = () => drawn.clone().flatten({ background: 'white' }).jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
  const png = lossy ? undefined : await drawn.clone().png().toBuffer({ resolveWithObject: true }).catch(unreadable);
  const lossless = png && png.data.length <= MAX_LOSSLESS ? png : undefined;
  const { data, info } = lossless ?? (await jpeg().toBuffer({ resolveWithObject: true }).catch(unreadable));
  const preview = await sharp(data).resize(PREVIEW, PREVIEW, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 80 }).toBuffer();
  return { type: lossless ? 'image/png' : 'image/jpeg', bytes: data, preview, width: info.width, height: info.height };
}

const startsWith = (file: Buffer, magic: Buffer) => file.subarray(0, magic.length).equals(magic);

function unreadable(): never {
  throw refusal('image_broken', 'The image cannot be read.');
}

const refusal = (code: string, message: string) => badRequest(code, message, { fields: { image: message } });
