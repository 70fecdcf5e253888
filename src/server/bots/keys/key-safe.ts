import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Keys } from '#server/ports/exchange/exchange.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** First bytes of sealed keys; the fingerprint of their SECRETS_KEY follows. Keys sealed by older releases have neither. */
const MAGIC = Buffer.from('TMK1');
const FINGERPRINT_BYTES = 8;
const HEADER_BYTES = MAGIC.length + FINGERPRINT_BYTES;

/** What a bot keeps of its exchange account. */
export interface SealedKeys extends Keys {
  /** The text that `digest` was made from; older releases did not keep it. */
  account?: string;
}

/** One SECRETS_KEY. */
export interface KeyVersion {
  /** Names the key and tells nothing of it. */
  readonly fingerprint: string;
  /** Seals a bot's keys; the result opens for that bot alone. */
  seal(botId: string, keys: SealedKeys): Buffer;
  /** The same for the same account; the account cannot be read from it. */
  digest(account: string): string;
}

export interface KeySafe {
  /** The current key first, then the previous one where the process holds it. */
  versions(): [current: KeyVersion, previous: KeyVersion | undefined];
  /**
   * Opens keys that were sealed under any held key. Throws `UnknownKeyVersion` for keys sealed under another SECRETS_KEY,
   * and `UnreadableKey` for damaged keys and those of another bot.
   */
  open(botId: string, sealed: Uint8Array): SealedKeys;
  /** Makes `secretsKey` the current key; the current one becomes the previous one. */
  replace(secretsKey: string): void;
  /** Seals and digests with the current key. */
  seal: KeyVersion['seal'];
  digest: KeyVersion['digest'];
}

/** The kept keys of a bot cannot be opened. Its user reads the message. */
export class UnreadableKey extends Error {
  constructor() {
    super('The API key kept for this bot can no longer be read. Please replace it.');
  }
}

/** The keys were sealed under a SECRETS_KEY that this process does not hold; another process may hold it. */
export class UnknownKeyVersion extends Error {
  constructor() {
    super('The key of this bot was sealed under another SECRETS_KEY.');
  }
}

/** The last characters of a key, to tell keys apart. */
export const hintOf = (key: string): string => key.slice(-4);

/** Keeps exchange keys with AES-256-GCM under SECRETS_KEY; also opens those sealed under `previous`. */
export function createKeySafe(secretsKey: string, previous?: string): KeySafe {
  let held = [secretsKey, previous].filter((key) => key !== undefined).map(createVersion);
  const current = (): HeldVersion => held[0] as HeldVersion;
  return {
    versions: () => [current(), held[1]],
    open(botId, sealed) {
      const bytes = Buffer.from(sealed);
      const named = held.find(({ header }) => bytes.subarray(0, HEADER_BYTES).equals(header));
      if (named) return named.open(botId, bytes.subarray(HEADER_BYTES));
      for (const version of held) {
        try {
          return version.open(botId, bytes);
        } catch {}
      }
      throw bytes.subarray(0, MAGIC.length).equals(MAGIC) ? new UnknownKeyVersion() : new UnreadableKey();
    },
    replace(next) {
      held = [createVersion(next), current()];
    },
    seal: (botId, keys) => current().seal(botId, keys),
    digest: (account) => current().digest(account),
  };
}

interface HeldVersion extends KeyVersion {
  header: Buffer;
  /** Opens sealed keys without their header. Throws `UnreadableKey`. */
  open(botId: string, bytes: Buffer): SealedKeys;
}

function createVersion(secretsKey: string): HeldVersion {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', secretsKey, '', `tidemark ${purpose}`, 32));
  const sealing = derived('bot keys');
  const naming = derived('bot key digests');
  const fingerprint = derived('key fingerprint').subarray(0, FINGERPRINT_BYTES);
  const header = Buffer.concat([MAGIC, fingerprint]);
  return {
    fingerprint: fingerprint.toString('hex'),
    header,
    seal(botId, { key, secret, account }) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(botId));
      const text = Buffer.concat([cipher.update(JSON.stringify([key, secret, account]), 'utf8'), cipher.final()]);
      return Buffer.concat([header, iv, text, cipher.getAuthTag()]);
    },
    open(botId, bytes) {
      try {
        const cipher = createDecipheriv(CIPHER, sealing, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(botId))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = Buffer.concat([cipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), cipher.final()]).toString('utf8');
        const [key, secret, account] = JSON.parse(text) as [string, string, string | null | undefined];
        return { key, secret, ...(account != null && { account }) };
      } catch {
        throw new UnreadableKey();
      }
    },
    digest: (account) => createHmac('sha256', naming).update(account).digest('base64url'),
  };
}

/** The first bytes of keys that are sealed under this key. */
export const headerOf = ({ fingerprint }: KeyVersion): Buffer => Buffer.concat([MAGIC, Buffer.from(fingerprint, 'hex')]);
