import fs from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { MAX_PIXELS } from '#contract/pictures.ts';
import { isBomb } from './bombs.ts';

/** Seconds that one step of the work on a picture may take. */
const LIMIT = 15;
/** Bytes that tell the type. */
const HEAD = 16;
const MAGIC = {
  png: ['\x89PNG\r\n\x1a\n'],
  jpeg: ['\xff\xd8\xff'],
  gif: ['GIF87a', 'GIF89a'],
} as const;

export type PictureType = keyof typeof MAGIC;
export type RefusalReason = 'type' | 'pixels' | 'broken';

/** A file that is no picture for us; who asked for it finds the words. */
export class PictureRefused extends Error {
  constructor(readonly reason: RefusalReason) {
    super(`The picture was refused: ${reason}.`);
  }
}

export interface OpenPicture {
  type: PictureType;
  /** As stored: before it is turned upright. */
  width: number;
  height: number;
  /** The first frame, upright; nothing is decoded yet. */
  image: Sharp;
}

/**
 * Opens a picture in memory or at a path. What a file is counts, not what it is called. Throws PictureRefused for other
 * types, too many pixels, broken headers and files made to be costly. Use it through `decodeInTurn` for people's files.
 */
export async function openPicture(file: Uint8Array | string, types: readonly PictureType[]): Promise<OpenPicture> {
  const bytes = typeof file === 'string' ? await fs.readFile(file) : Buffer.from(file.buffer, file.byteOffset, file.length);
  const head = bytes.toString('latin1', 0, HEAD);
  const type = types.find((known) => MAGIC[known].some((magic) => head.startsWith(magic)));
  if (!type) throw new PictureRefused('type');
  if (isBomb(bytes, type)) throw new PictureRefused('broken');
  // Loaded with the first picture: a server without one stays small.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(bytes, { failOn: 'truncated', limitInputPixels: false }).timeout({ seconds: LIMIT });
  const { width, height } = await image.metadata().catch(refuseBroken);
  if (width * height > MAX_PIXELS) throw new PictureRefused('pixels');
  return { type, width, height, image: image.rotate() };
}

/** For whatever is done with an open picture: what fails from here on fails for its content. */
export function refuseBroken(): never {
  throw new PictureRefused('broken');
}
