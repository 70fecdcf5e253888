import fs from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { MAX_PIXELS } from '#contract/pictures.ts';
import { isBomb } from './bombs.ts';

/** Time limit of one processing step, seconds. */
const LIMIT = 15;
/** Leading bytes that identify the type. */
const HEAD = 16;
const MAGIC = {
  png: ['\x89PNG\r\n\x1a\n'],
  jpeg: ['\xff\xd8\xff'],
  gif: ['GIF87a', 'GIF89a'],
} as const;

export type PictureType = keyof typeof MAGIC;
export type RefusalReason = 'type' | 'pixels' | 'broken';

/** A file that the server does not accept as a picture. The caller chooses the message. */
export class PictureRefused extends Error {
  constructor(readonly reason: RefusalReason) {
    super(`The picture was refused: ${reason}.`);
  }
}

export interface OpenPicture {
  type: PictureType;
  /** As stored, before rotation. */
  width: number;
  height: number;
  /** The first frame, upright and not decoded yet. */
  image: Sharp;
}

/**
 * Opens a picture in memory or at a path by its content, not its name. Throws PictureRefused for other types, too many
 * pixels, broken headers and decompression bombs. Use it through `decodeInTurn` for users' files.
 */
export async function openPicture(file: Uint8Array | string, types: readonly PictureType[]): Promise<OpenPicture> {
  const bytes = typeof file === 'string' ? await fs.readFile(file) : Buffer.from(file.buffer, file.byteOffset, file.length);
  const head = bytes.toString('latin1', 0, HEAD);
  const type = types.find((known) => MAGIC[known].some((magic) => head.startsWith(magic)));
  if (!type) throw new PictureRefused('type');
  if (isBomb(bytes, type)) throw new PictureRefused('broken');
  // Loaded on first use: a server that opens no picture needs less memory.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(bytes, { failOn: 'truncated', limitInputPixels: false }).timeout({ seconds: LIMIT });
  const { width, height } = await image.metadata().catch(refuseBroken);
  if (width * height > MAX_PIXELS) throw new PictureRefused('pixels');
  return { type, width, height, image: image.rotate() };
}

/** Error handler for operations on an open picture, where every failure is the content's fault. */
export function refuseBroken(): never {
  throw new PictureRefused('broken');
}
