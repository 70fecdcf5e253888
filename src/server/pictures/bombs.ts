/** Bytes of compressed text and color profiles in a PNG. Each can expand a thousandfold; real color profiles are smaller. */
const MAX_COMPRESSED_EXTRAS = 1024 * 1024;
const COMPRESSED_EXTRAS = new Set(['zTXt', 'iTXt', 'iCCP']);
/** Maximum scans of a JPEG. Cameras write 1, progressive files about 10. */
const MAX_SCANS = 100;

/** Returns whether a small file would cost far more to decode than its pixels do. */
export function isBomb(file: Buffer, type: string): boolean {
  if (type === 'png') return compressedExtras(file) > MAX_COMPRESSED_EXTRAS;
  return type === 'jpeg' && scans(file) > MAX_SCANS;
}

/** Returns the size of a PNG's compressed chunks other than pixels, bytes. */
function compressedExtras(file: Buffer): number {
  let sum = 0;
  for (let at = 8; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (COMPRESSED_EXTRAS.has(file.toString('latin1', at + 4, at + 8))) sum += length;
    at += length + 12;
  }
  return sum;
}

/** Counts a JPEG's scans up to its end; other files may follow there. */
function scans(file: Buffer): number {
  let count = 0;
  let at = 2;
  while (at + 4 <= file.length && count <= MAX_SCANS) {
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff || marker === 0xff) at += 1;
    else if (marker === END) break;
    else if (isBare(marker)) at += 2;
    else {
      at += 2 + file.readUInt16BE(at + 2);
      if (marker !== START_OF_SCAN) continue;
      count += 1;
      at = nextMarker(file, at);
    }
  }
  return count;
}

const START_OF_SCAN = 0xda;
const END = 0xd9;

/** Markers without a length, such as restart markers. A zero escapes a pixel byte that looks like a marker. */
const isBare = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);

function nextMarker(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at >= 0 && isBare(file[at + 1] ?? 0)) at = file.indexOf(0xff, at + 2);
  return at < 0 ? file.length : at;
}
