import type { ScaledPicture } from './picture-scale.ts';
import type { PictureReport } from './picture-worker.ts';

/** The picture cannot be attached. The message is for the user. */
export class PictureProblem extends Error {}

/** Maximum file size in bytes. Keeps a renamed video out of memory. */
const MAX_FILE = 60 * 1024 * 1024;

/** The bytes of a head that decide its type: text, and where it starts. */
const SIGNATURES: readonly { type: string; parts: readonly [string, number][] }[] = [
  { type: 'image/png', parts: [['\x89PNG', 0]] },
  { type: 'image/jpeg', parts: [['\xff\xd8\xff', 0]] },
  { type: 'image/gif', parts: [['GIF8', 0]] },
  {
    type: 'image/webp',
    parts: [
      ['RIFF', 0],
      ['WEBP', 8],
    ],
  },
  // ISO/IEC 23008-12: the brand follows the box's name.
  ...['heic', 'heix', 'heim', 'heis', 'mif1'].map((brand) => ({ type: 'image/heic', parts: [[`ftyp${brand}`, 4] as [string, number]] })),
];
const HEAD = 12;

/**
 * Re-encodes a PNG, JPEG, GIF, WebP or, where the browser decodes it, HEIC, recognized by its first bytes, in a worker and scales it to at
 * most 2000 pixels a side. `onStep` receives the progress, 0 to 1. Throws PictureProblem.
 */
export async function preparePicture(file: Blob, onStep: (done: number) => void): Promise<ScaledPicture> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, HEAD).arrayBuffer()));
  const type = SIGNATURES.find(({ parts }) => parts.every(([text, at]) => head.startsWith(text, at)))?.type;
  if (!type) throw new PictureProblem('The picture must be a PNG, JPEG, GIF, WebP or HEIC image.');
  if (file.size > MAX_FILE) throw tooLarge();
  const typed = new Blob([file], { type });
  return typeof OffscreenCanvas === 'undefined' || typeof Worker === 'undefined' ? prepareHere(typed, onStep) : prepareAside(typed, onStep);
}

const tooLarge = () => new PictureProblem('The picture is too large.');
const unreadable = ({ type }: Blob) =>
  new PictureProblem(
    type === 'image/heic'
      ? 'This browser cannot read HEIC pictures. Save the picture as JPEG or PNG and attach that.'
      : 'The file cannot be read as an image.',
  );

const notLoaded = () =>
  new PictureProblem('The code for pictures did not load. Reload the page and attach the picture again; your text stays.');

function prepareAside(file: Blob, onStep: (done: number) => void): Promise<ScaledPicture> {
  const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<ScaledPicture>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<PictureReport>) => {
      if ('step' in data) onStep(data.step);
      else if ('picture' in data) resolve(data.picture);
      else reject(data.failure === 'size' ? tooLarge() : unreadable(file));
    };
    // An error of the code has a message; code that does not load, such as that of an earlier version, has none.
    worker.onerror = ({ message }) => reject(message === undefined ? notLoaded() : unreadable(file));
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}

/** Fallback for browsers without OffscreenCanvas. */
async function prepareHere(file: Blob, onStep: (done: number) => void): Promise<ScaledPicture> {
  const { scalePicture } = await import('./picture-scale.ts');
  const newCanvas = (width: number, height: number) => Object.assign(document.createElement('canvas'), { width, height });
  return scalePicture(file, newCanvas, onStep).catch((error: unknown) => {
    throw error instanceof RangeError ? tooLarge() : unreadable(file);
  });
}
