import { MAX_CHAT_IMAGE_BYTES } from '#contract/pictures.ts';

/** Longest side of an uploaded picture and of its preview, in pixels. */
const SIDE = 2000;
const PREVIEW_SIDE = 480;
const MAX_PIXELS = 50_000_000;
const JPEG_QUALITY = 0.92;
const PREVIEW_QUALITY = 0.85;

export interface Encoded {
  type: string;
  bytes: ArrayBuffer;
}

/** A picture ready to upload, upright and without metadata, with its preview. */
export interface ScaledPicture extends Encoded {
  width: number;
  height: number;
  preview: Encoded;
}

type Surface = OffscreenCanvas | HTMLCanvasElement;

/**
 * Scales and re-encodes a picture. `onStep` receives the progress, 0 to 1. Throws RangeError for too many pixels, and the
 * browser's error for an unreadable file.
 */
export async function scalePicture(file: Blob, newSurface: (width: number, height: number) => Surface, onStep: (done: number) => void) {
  onStep(0.1);
  const bitmap = await createImageBitmap(file);
  try {
    if (bitmap.width * bitmap.height > MAX_PIXELS) throw new RangeError('too many pixels');
    onStep(0.4);
    const full = draw(bitmap, SIDE, newSurface);
    onStep(0.6);
    const encoded = await encode(full, file.type);
    onStep(0.8);
    const preview = await bytesOf(draw(bitmap, PREVIEW_SIDE, newSurface), 'image/webp', PREVIEW_QUALITY);
    onStep(1);
    return { ...encoded, width: full.width, height: full.height, preview } satisfies ScaledPicture;
  } finally {
    bitmap.close();
  }
}

function draw(bitmap: ImageBitmap, side: number, newSurface: (width: number, height: number) => Surface): Surface {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const surface = newSurface(width, height);
  const context = surface.getContext('2d') as OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null;
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return surface;
}

/** Photographs: pictures of other types are screenshots. */
const PHOTOS = ['image/jpeg', 'image/heic'];

/** Keeps screenshots lossless, because charts have thin lines and small digits, unless the result is too large. */
async function encode(surface: Surface, type: string): Promise<Encoded> {
  if (!PHOTOS.includes(type)) {
    const lossless = await bytesOf(surface, 'image/png');
    if (lossless.bytes.byteLength <= MAX_CHAT_IMAGE_BYTES) return lossless;
  }
  return bytesOf(surface, 'image/jpeg', JPEG_QUALITY);
}

async function bytesOf(surface: Surface, type: string, quality?: number): Promise<Encoded> {
  const blob =
    'convertToBlob' in surface
      ? await surface.convertToBlob({ type, ...(quality !== undefined && { quality }) })
      : await new Promise<Blob | null>((resolve) => surface.toBlob(resolve, type, quality));
  if (!blob) throw new Error('no picture');
  return { type: blob.type, bytes: await blob.arrayBuffer() }; // browsers without WebP encoding return PNG
}
