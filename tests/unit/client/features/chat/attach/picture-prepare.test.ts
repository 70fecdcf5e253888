import { afterEach, expect, it, vi } from 'vitest';
import { preparePicture } from '#client/features/chat/attach/picture-prepare.ts';

const PNG = [0x89, 0x50, 0x4e, 0x47];
const file = (...bytes: number[]) => new File([new Uint8Array(bytes)], 'chart.png', { type: 'image/png' });
const steps = vi.fn<(done: number) => void>();

/** A browser without OffscreenCanvas that reads every file as a picture of this size. */
function browser(width: number, height: number) {
  const drawn: number[][] = [];
  vi.stubGlobal('OffscreenCanvas', undefined);
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: () => {} }));
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(
    () => ({ drawImage: (_bitmap: unknown, ...place: number[]) => drawn.push(place) }) as never,
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take, type = '') => take(new Blob(['x'], { type })));
  return drawn;
}

afterEach(() => {
  steps.mockReset();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each([
  ['is empty', file()],
  ['is of another type than its name says', file(0x25, 0x50, 0x44, 0x46)],
])('does not take a file that %s', async (_what, it) => {
  await expect(preparePicture(it, steps)).rejects.toThrow('The picture must be a PNG, JPEG, GIF, WebP or HEIC image.');
});

it('does not take a file that does not load as an image', async () => {
  browser(1, 1);
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('broken', 'InvalidStateError')));
  await expect(preparePicture(file(...PNG), steps)).rejects.toThrow('The file cannot be read as an image.');
});

it('says what to do if the code of the worker does not load', async () => {
  class LostWorker extends EventTarget {
    onerror: ((event: Event) => void) | undefined;
    postMessage = () => void this.onerror?.(new Event('error'));
    terminate() {}
  }
  vi.stubGlobal('OffscreenCanvas', class {});
  vi.stubGlobal('Worker', LostWorker);
  await expect(preparePicture(file(...PNG), steps)).rejects.toThrow('did not load. Reload the page and attach the picture again');
});

const text = (head: string) => file(...[...head].map((letter) => letter.charCodeAt(0)));
const WEBP = text('RIFF\0\0\0\0WEBPVP8 ');
const HEIC = text('\0\0\0\x18ftypheic\0\0\0\0');

it('takes WebP as a screenshot, without loss, and HEIC as a photograph', async () => {
  browser(300, 200);
  expect((await preparePicture(WEBP, steps)).type).toBe('image/png');
  expect((await preparePicture(HEIC, steps)).type).toBe('image/jpeg');
  await expect(preparePicture(text('RIFF\0\0\0\0WAVEfmt '), steps)).rejects.toThrow('must be a PNG');
  await expect(preparePicture(text('\0\0\0\x18ftypmp42\0\0\0\0'), steps)).rejects.toThrow('must be a PNG');
});

it('says what to do where the browser does not decode HEIC', async () => {
  browser(1, 1);
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('broken', 'InvalidStateError')));
  await expect(preparePicture(HEIC, steps)).rejects.toThrow('This browser cannot read HEIC pictures. Save the picture as JPEG or PNG');
});

it('does not take a picture of more than fifty million pixels', async () => {
  browser(10_000, 5_001);
  await expect(preparePicture(file(...PNG), steps)).rejects.toThrow('The picture is too large.');
});

it('scales a picture down, with a small copy, and tells how far it is', async () => {
  const drawn = browser(4_000, 3_000);
  const picture = await preparePicture(file(...PNG), steps);
  expect(picture).toMatchObject({ type: 'image/png', width: 2_000, height: 1_500, preview: { type: 'image/webp' } });
  expect(drawn).toEqual([
    [0, 0, 2_000, 1_500],
    [0, 0, 480, 360],
  ]);
  const told = steps.mock.calls.flat();
  expect(told).toEqual([...told].sort((one, other) => one - other));
  expect(told.at(-1)).toBe(1);
});

it('leaves a small picture as large as it is', async () => {
  const drawn = browser(300, 200);
  await preparePicture(file(0xff, 0xd8, 0xff, 0xe0), steps);
  expect(drawn).toEqual([
    [0, 0, 300, 200],
    [0, 0, 300, 200],
  ]);
});
