import { describe, expect, it } from 'vitest';
import { MAX_PIXELS } from '#contract/pictures.ts';
import { isBomb } from '#server/pictures/bombs.ts';
import { openPicture } from '#server/pictures/open-picture.ts';
import { animatedGif, blackPng, jpegOfScans, photoWithExif, pngWith } from '#tests/support/charts/pictures.ts';

const MB = 1024 * 1024;
const refusalOf = (file: Buffer) =>
  openPicture(file, ['png', 'jpeg', 'gif']).then(
    () => 'taken',
    ({ reason }) => reason,
  );

describe('a decompression bomb', () => {
  it.each([
    ['a PNG with 2 GB of compressed text', () => pngWith(Array<number>(40).fill(50 * MB))],
    ['a JPEG with 200 scans', () => jpegOfScans(200)],
    ['a PNG of 17 million pixels', () => blackPng(17_000, 1000)],
  ])('is rejected: %s', async (_what, make) => {
    const file = await make();
    expect(file.length).toBeLessThan(8 * MB);
    expect(await refusalOf(file)).toMatch(/broken|pixels/);
  });

  it('is detected by a GIF frame larger than its canvas', async () => {
    const gif = animatedGif();
    const frame = gif.indexOf(0x2c);
    gif.writeUInt16LE(0xffff, frame + 5);
    gif.writeUInt16LE(0xffff, frame + 7);
    expect(await refusalOf(gif)).toBe('pixels');
  });

  it('is not a picture with 16 million pixels, a few texts, a few scans or a file appended', async () => {
    expect(MAX_PIXELS).toBe(16_000_000);
    expect(await refusalOf(blackPng(4000, 4000))).toBe('taken');
    expect(await refusalOf(pngWith([1000, 10 * MB]))).toBe('taken');
    const photo = await photoWithExif(64, 32);
    expect(await refusalOf(photo)).toBe('taken');
    const scan = Buffer.from([0xff, 0xda, 0, 2]);
    expect(isBomb(Buffer.concat([photo, ...Array<Buffer>(200).fill(scan)]), 'jpeg')).toBe(false);
  });

  it.each(['png', 'jpeg', 'gif'] as const)('is detected in any bytes without an error: %s', (type) => {
    for (const length of [0, 1, 3, 4, 5, 9, 16, 33])
      for (const byte of [0, 0x7f, 0xd9, 0xda, 0xff]) isBomb(Buffer.alloc(length, byte), type);
    expect(isBomb(Buffer.alloc(8 * MB, Buffer.from([0xff, 0xda])), type)).toBe(type === 'jpeg');
  });
});
