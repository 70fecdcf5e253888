import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Creates a black 1-bit PNG: small as a file, large when decoded. */
export const blackPng = (width: number, height: number): Buffer<ArrayBuffer> => pngWith([], width, height);

/** Creates the same with compressed text chunks of these unpacked lengths, in bytes. */
export function pngWith(lengths: readonly number[], width = 8, height = 8): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...lengths.map(compressedText),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const texts = new Map<number, Buffer>();

function compressedText(length: number): Buffer {
  const known = texts.get(length) ?? chunk('zTXt', Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(length))]));
  texts.set(length, known);
  return known;
}

/** Creates a single-color progressive JPEG with this many scans. */
export async function jpegOfScans(scans: number): Promise<Buffer<ArrayBuffer>> {
  const file = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .jpeg({ progressive: true })
    .toBuffer();
  const last = file.lastIndexOf(Buffer.from([0xff, 0xda]));
  const again = file.subarray(last, -2);
  return Buffer.concat([file.subarray(0, -2), ...Array<Buffer>(scans).fill(again), file.subarray(-2)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Creates a photo, red on the left and blue on the right as stored, with EXIF rotation and location. */
export function photoWithExif(width: number, height: number): Promise<Buffer> {
  const half = { width: width / 2, height, channels: 3 as const };
  return sharp({ create: { ...half, width, background: 'blue' } })
    .composite([{ input: { create: { ...half, background: 'red' } }, left: 0, top: 0 }])
    .withExif({ IFD0: { Copyright: 'Ada at home' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** Creates an animation of two 1-pixel frames. */
export const animatedGif = (): Buffer =>
  Buffer.from(
    '474946383961010001008000000000000000ff21ff0b4e45545343415045322e30030100000021f90400' +
      '0a0000002c00000000010001000002024401002' +
      '1f904000a0000002c000000000100010000020244010' +
      '03b',
    'hex',
  );
