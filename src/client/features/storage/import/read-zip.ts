import { formatBytes } from '#domain/format/format-bytes.ts';
import { PRODUCT } from '#domain/product.ts';
import { crc32 } from './crc-32.ts';

const END = 0x06054b50;
const LISTED = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const LISTED_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 0xffff;
const MAX_ENTRIES = 20_000;
/** Of the list of entries: twice what 20,000 pictures take. */
const MAX_LIST_BYTES = 5_000_000;

const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

/** Why a file cannot be read, as a sentence for the user. */
export class UnreadableFile extends Error {}

export const NO_EXPORT = `This file is no export of ${PRODUCT}.`;
const INCOMPLETE = 'This file is incomplete. Copy or export it again.';
const DAMAGED = 'This file is damaged. Copy or export it again.';

export interface ZipEntry {
  name: string;
  /** Bytes of its content, as the ZIP says. */
  size: number;
  /** Unpacks the content and checks it. Throws UnreadableFile, also beyond `max` bytes. */
  read(max: number): Promise<Blob>;
}

/** Reads the list of entries of a ZIP. Contents are read one by one later. Throws UnreadableFile. */
export async function readZip(file: Blob): Promise<Map<string, ZipEntry>> {
  const start = await bytesOf(file, 0, 4);
  const isZip = start.byteLength === 4 && [LOCAL, END].includes(start.getUint32(0, true));
  const { count, at, bytes } = await readEnd(file, isZip ? INCOMPLETE : NO_EXPORT);
  if (count > MAX_ENTRIES || bytes > MAX_LIST_BYTES) throw new UnreadableFile('This file has too many entries.');
  const list = await bytesOf(file, at, at + bytes);
  if (list.byteLength < bytes) throw new UnreadableFile(INCOMPLETE);
  const entries = new Map<string, ZipEntry>();
  for (let index = 0, place = 0; index < count; index++) {
    if (place + LISTED_BYTES > bytes || list.getUint32(place, true) !== LISTED) throw new UnreadableFile(DAMAGED);
    const nameBytes = list.getUint16(place + 28, true);
    const next = place + LISTED_BYTES + nameBytes + list.getUint16(place + 30, true) + list.getUint16(place + 32, true);
    if (next > bytes) throw new UnreadableFile(DAMAGED);
    const name = new TextDecoder().decode(new Uint8Array(list.buffer, place + LISTED_BYTES, nameBytes));
    const listed: Listed = {
      flags: list.getUint16(place + 8, true),
      method: list.getUint16(place + 10, true),
      checksum: list.getUint32(place + 16, true),
      packed: list.getUint32(place + 20, true),
      size: list.getUint32(place + 24, true),
      at: list.getUint32(place + 42, true),
    };
    entries.set(name, { name, size: listed.size, read: (max) => readContent(file, listed, max) });
    place = next;
  }
  return entries;
}

interface Listed {
  flags: number;
  method: number;
  checksum: number;
  packed: number;
  size: number;
  at: number;
}

const bytesOf = async (file: Blob, from: number, to: number): Promise<DataView> => new DataView(await file.slice(from, to).arrayBuffer());

/** Finds the record at the end of a ZIP, which says where its list is. A comment may follow it. */
async function readEnd(file: Blob, missing: string): Promise<{ count: number; at: number; bytes: number }> {
  const from = Math.max(0, file.size - END_BYTES - MAX_COMMENT);
  const tail = await bytesOf(file, from, file.size);
  for (let place = tail.byteLength - END_BYTES; place >= 0; place--) {
    if (tail.getUint32(place, true) !== END || place + END_BYTES + tail.getUint16(place + 20, true) !== tail.byteLength) continue;
    const [count, bytes, at] = [tail.getUint16(place + 10, true), tail.getUint32(place + 12, true), tail.getUint32(place + 16, true)];
    if (at + bytes > from + place) throw new UnreadableFile(DAMAGED);
    return { count, at, bytes };
  }
  throw new UnreadableFile(missing);
}

async function readContent(file: Blob, { flags, method, checksum, packed, size, at }: Listed, max: number): Promise<Blob> {
  if (flags & ENCRYPTED) throw new UnreadableFile('This file is encrypted. Save it without a password, or export it again.');
  if (method !== STORED && method !== DEFLATED) throw new UnreadableFile('This file is compressed in an unknown way. Export it again.');
  if (size > max) throw new UnreadableFile(`A part of this file is larger than ${formatBytes(max)}.`);
  const head = await bytesOf(file, at, at + LOCAL_BYTES);
  if (head.byteLength < LOCAL_BYTES || head.getUint32(0, true) !== LOCAL) throw new UnreadableFile(DAMAGED);
  const start = at + LOCAL_BYTES + head.getUint16(26, true) + head.getUint16(28, true);
  const content = file.slice(start, start + packed);
  if (content.size < packed) throw new UnreadableFile(INCOMPLETE);
  const stream: ReadableStream<Uint8Array<ArrayBuffer>> =
    method === STORED ? content.stream() : content.stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let sum = 0;
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length;
      // What unpacks to more than the ZIP says would fill the memory.
      if (length > size) throw new UnreadableFile(DAMAGED);
      sum = crc32(part.value, sum);
      parts.push(part.value);
    }
  } catch {
    reader.cancel().catch(() => undefined);
    throw new UnreadableFile(DAMAGED);
  }
  if (length !== size || sum !== checksum) throw new UnreadableFile(DAMAGED);
  return new Blob(parts);
}
