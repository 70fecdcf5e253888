import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** Bytes of an uncompressed P-256 point, of the salt and of an AEAD tag. */
const [POINT, SALT, TAG] = [65, 16, 16];

/** A browser's side of RFC 8291: its keys, and what it reads with them. */
export interface Receiver {
  keys: { p256dh: string; auth: string };
  /** Decrypts a body in `aes128gcm`. Throws for one that was not encrypted for these keys, or has no valid form. */
  decrypt(body: Buffer): string;
}

/** Makes a receiver, from the texts of the RFCs and not from the package that sends. */
export function createReceiver(): Receiver {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    decrypt(body) {
      // RFC 8188, 2.1: salt, record size, length of the key id, key id, records.
      const salt = body.subarray(0, SALT);
      const recordSize = body.readUInt32BE(SALT);
      const idLength = body.readUInt8(SALT + 4);
      const sender = body.subarray(SALT + 5, SALT + 5 + idLength);
      const record = body.subarray(SALT + 5 + idLength);
      if (idLength !== POINT) throw new Error(`the key id has ${idLength} bytes`);
      // RFC 8291, 4: one record, and a record size of more than it.
      if (record.length > recordSize || record.length <= TAG) throw new Error('the message has not exactly one record');
      // RFC 8291, 3.4.
      const secret = pair.computeSecret(sender);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
      const input = Buffer.from(hkdfSync('sha256', secret, auth, info, 32));
      const derived = (name: string, length: number) =>
        Buffer.from(hkdfSync('sha256', input, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
      const cipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12)).setAuthTag(record.subarray(-TAG));
      const plain = Buffer.concat([cipher.update(record.subarray(0, -TAG)), cipher.final()]);
      // RFC 8188, 2: the last record ends with 2 and any number of zeros.
      const end = plain.findLastIndex((byte) => byte !== 0);
      if (plain[end] !== 2) throw new Error('the last record has no delimiter');
      return plain.subarray(0, end).toString('utf8');
    },
  };
}
