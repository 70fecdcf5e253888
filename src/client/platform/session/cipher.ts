import type { KeyRow } from '../db/device-db.ts';
import { readDevice } from '../db/read-device.ts';
import { transact } from '../db/transact.ts';
import { STORAGE_KEY } from '../settings.ts';
import { decrypt, encrypt, importKey } from './aes.ts';

/**
 * Returns the key that encrypts the session: the configured one, or one that the device generates, non-extractable, so that
 * the bundle contains no secret.
 */
async function storageKey(read?: KeyRow): Promise<CryptoKey> {
  if (STORAGE_KEY) return importKey(STORAGE_KEY);
  const kept = read ?? (await readDevice()).key;
  if (kept) return kept.key;
  const { deviceDb } = await import('../db/device-db.ts');
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  // If two tabs start at once, both use the key that is stored first.
  return transact(deviceDb, [deviceDb.keys], async (deviceDb) => {
    const first = await deviceDb.keys.get('storage');
    if (first) return first.key;
    await deviceDb.keys.add({ id: 'storage', key: made });
    return made;
  });
}

/** Encrypts a value by AES-GCM. */
export const seal = async (value: unknown): Promise<ArrayBuffer> => encrypt(await storageKey(), value);

/** Decrypts a value. `read`: the key, if the caller has read it. Rejects if the blob has another key or was altered. */
export const unseal = async (blob: ArrayBuffer, read?: KeyRow): Promise<unknown> => decrypt(await storageKey(read), blob);
