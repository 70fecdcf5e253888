import { createHash } from 'node:crypto';

/** Returns the UUID of a name within a namespace (RFC 9562, version 5): the same two always give the same id. */
export function uuidv5(name: string, namespace: string): string {
  const digest = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  digest[6] = (digest.readUInt8(6) & 0x0f) | 0x50;
  digest[8] = (digest.readUInt8(8) & 0x3f) | 0x80;
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
