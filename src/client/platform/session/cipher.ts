import { deviceDb } from '../db/device-db.ts';
import { STORAGE_KEY } from '../settings.ts';

const IV_BYTES = 12;
const KEY_CHARACTERS = 32;

/**
 * Returns the key that encrypts the session. A configured key is padded with zeros or cut to 32 characters. Otherwise the
 * device generates a non-extractable key, so that the bundle contains no secret.
 */
async function storageKey(): Promise<CryptoKey> {
  if (STORAGE_KEY) {
    const bytes = new TextEncoder().encode(STORAGE_KEY.slice(0, KEY_CHARACTERS).padEnd(KEY_CHARACTERS, '0'));
    return crypto.subtle.importKey('raw', bytes.slice(0, KEY_CHARACTERS), 'AES-GCM', false, ['encrypt', 'decrypt']);
  }
  const kept = await deviceDb.keys.get('storage');
  if (kept) return kept.key;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  // If two tabs start at once, both use the key that is stored first.
  return deviceDb.transaction('rw', deviceDb.keys, async () => {
    const first = await deviceDb.keys.get('storage');
    if (first) return first.key;
    await deviceDb.keys.add({ id: 'storage', key: made });
    return made;
  });
}

/** Encrypts a value by AES-GCM, with a fresh IV in front of the ciphertext. */
export async function seal(value: unknown): Promise<ArrayBuffer> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plain = new TextEncoder().encode(JSON.stringify(value));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await storageKey(), plain));
  const blob = new Uint8Array(IV_BYTES + sealed.length);
  blob.set(iv);
  blob.set(sealed, IV_BYTES);
  return blob.buffer;
}

/** Decrypts a value. Rejects if the blob has another key or was altered. */
export async function unseal(blob: ArrayBuffer): Promise<unknown> {
  const iv = new Uint8Array(blob, 0, IV_BYTES);
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await storageKey(), new Uint8Array(blob, IV_BYTES));
  return JSON.parse(new TextDecoder().decode(plain));
}
