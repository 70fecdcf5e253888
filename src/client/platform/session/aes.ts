const IV_BYTES = 12;
const KEY_CHARACTERS = 32;

/** Makes a key of a configured text, padded with zeros or cut to 32 characters. */
export function importKey(text: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(text.slice(0, KEY_CHARACTERS).padEnd(KEY_CHARACTERS, '0'));
  return crypto.subtle.importKey('raw', bytes.slice(0, KEY_CHARACTERS), 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** Encrypts a value by AES-GCM, with a fresh IV in front of the ciphertext. */
export async function encrypt(key: CryptoKey, value: unknown): Promise<ArrayBuffer> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plain = new TextEncoder().encode(JSON.stringify(value));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain));
  const blob = new Uint8Array(IV_BYTES + sealed.length);
  blob.set(iv);
  blob.set(sealed, IV_BYTES);
  return blob.buffer;
}

/** Decrypts a value. Rejects if the blob has another key or was altered. */
export async function decrypt(key: CryptoKey, blob: ArrayBuffer): Promise<unknown> {
  const iv = new Uint8Array(blob, 0, IV_BYTES);
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, new Uint8Array(blob, IV_BYTES));
  return JSON.parse(new TextDecoder().decode(plain));
}
