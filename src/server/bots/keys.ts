import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Keys } from '../ports/exchange/exchange';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface KeySafe {
  /** Seals a bot's keys; what comes out opens for that bot alone. */
  seal(botId: string, keys: Keys): Buffer;
  /** Throws `UnreadableKey` for what was sealed for another bot, or under another SECRETS_KEY. */
  open(botId: string, sealed: Uint8Array): Keys;
  /** The same for the same API key, and nothing from which the key could be told. */
  digest(key: string): string;
}

/** What was kept of a bot's keys cannot be opened. The message says it to its user. */
export class UnreadableKey extends Error {
  constructor() {
    super('The API key kept for this bot can no longer be read. Please replace it.');
  }
}

/** The last characters of a key, to tell keys apart. */
export const hintOf = (key: string): string => key.slice(-4);

/** Keeps exchange keys with AES-256-GCM under SECRETS_KEY. */
export function createKeySafe(secretsKey: string): KeySafe {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', secretsKey, '', `tidemark ${purpose}`, 32));
  const sealing = derived('bot keys');
  const naming = derived('bot key digests');
  return {
    seal(botId, { key, secret }) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(botId));
      const text = Buffer.concat([cipher.update(JSON.stringify([key, secret]), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, text, cipher.getAuthTag()]);
    },
    open(botId, sealed) {
      const bytes = Buffer.from(sealed);
      try {
        const cipher = createDecipheriv(CIPHER, sealing, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(botId))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = Buffer.concat([cipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), cipher.final()]).toString('utf8');
        const [key, secret] = JSON.parse(text) as [string, string];
        return { key, secret };
      } catch {
        throw new UnreadableKey();
      }
    },
    digest: (key) => createHmac('sha256', naming).update(key).digest('base64url'),
  };
}
