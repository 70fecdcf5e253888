import { deviceDb } from '../db/device-db.ts';
import { STORAGE_KEY } from '../settings.ts';

const IV_BYTES = 12;
const KEY_CHARACTERS = 32;

/**
 * The key that seals what lies on the device. Configured: 32 characters, padded with zeros or cut (spec §5).
 * Otherwise made here once and never extractable, so that the bundle carries no secret.
 */
async function storageKey(): Promise<CryptoKey> {
  if (STORAGE_KEY) {
    const bytes = new TextEncoder().encode(STORAGE_KEY.slice(0, KEY_CHARACTERS).padEnd(KEY_CHARACTERS, '0'));
    return crypto.subtle.importKey('raw', bytes.slice(0, KEY_CHARACTERS), 'AES-GCM', false, ['encrypt', 'decrypt']);
  }
  const kept = await deviceDb.keys.get('storage');
  if (kept) return kept.key;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  // Two tabs may start at once: the first key stored is the one both use.
  return deviceDb.transaction('rw', deviceDb.keys, async () => {
    const first = await deviceDb.keys.get('storage');
    if (first) return first.key;
    await deviceDb.keys.add({ id: 'storage', key: made });
    return made;
  });
}

/** AES-GCM with a fresh IV in front of the ciphertext. */
export async function seal(value: unknown): Promise<ArrayBuffer> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plain = new TextEncoder().encode(JSON.stringify(value));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await storageKey(), plain));
  const blob = new Uint8Array(IV_BYTES + sealed.length);
  blob.set(iv);
  blob.set(sealed, IV_BYTES);
  return blob.buffer;
}

/** Rejects when the blob was sealed under another key or altered. */
export async function unseal(blob: ArrayBuffer): Promise<unknown> {
  const iv = new Uint8Array(blob, 0, IV_BYTES);
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await storageKey(), new Uint8Array(blob, IV_BYTES));
  return JSON.parse(new TextDecoder().decode(plain));
}
