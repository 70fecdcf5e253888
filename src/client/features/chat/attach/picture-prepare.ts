import type { ScaledPicture } from './picture-scale.ts';
import type { PictureReport } from './picture-worker.ts';

/** The picture cannot be attached. The message is for the user. */
export class PictureProblem extends Error {}

/** Maximum file size in bytes. Keeps a renamed video out of memory. */
const MAX_FILE = 60 * 1024 * 1024;

const SIGNATURES = [
  { type: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', bytes: [0x47, 0x49, 0x46, 0x38] },
] as const;

/**
 * Re-encodes a PNG, JPEG or GIF, recognized by its first bytes, in a worker and scales it to at most 2000 pixels a side.
 * `onStep` receives the progress, 0 to 1. Throws PictureProblem.
 */
export async function preparePicture(file: Blob, onStep: (done: number) => void): Promise<ScaledPicture> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const kind = SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (!kind) throw new PictureProblem('The picture must be a PNG, JPEG or GIF image.');
  if (file.size > MAX_FILE) throw tooLarge();
  const typed = new Blob([file], { type: kind.type });
  return typeof OffscreenCanvas === 'undefined' || typeof Worker === 'undefined' ? prepareHere(typed, onStep) : prepareAside(typed, onStep);
}

const tooLarge = () => new PictureProblem('The picture is too large.');
const unreadable = () => new PictureProblem('The file cannot be read as an image.');

function prepareAside(file: Blob, onStep: (done: number) => void): Promise<ScaledPicture> {
  const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<ScaledPicture>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<PictureReport>) => {
      if ('step' in data) onStep(data.step);
      else if ('picture' in data) resolve(data.picture);
      else reject(data.failure === 'size' ? tooLarge() : unreadable());
    };
    worker.onerror = () => reject(unreadable());
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}

/** Fallback for browsers without OffscreenCanvas. */
async function prepareHere(file: Blob, onStep: (done: number) => void): Promise<ScaledPicture> {
  const { scalePicture } = await import('./picture-scale.ts');
  const newCanvas = (width: number, height: number) => Object.assign(document.createElement('canvas'), { width, height });
  return scalePicture(file, newCanvas, onStep).catch((error: unknown) => {
    throw error instanceof RangeError ? tooLarge() : unreadable();
  });
}
