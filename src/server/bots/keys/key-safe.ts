import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Keys } from '#server/ports/exchange/exchange.ts';
import { UnreadableKey } from '../messages/refusals.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Sealed keys start with this and the fingerprint of their SECRETS_KEY. Keys of older releases have neither. */
const MAGIC = Buffer.from('TMK1');
const FINGERPRINT_BYTES = 8;
const HEADER_BYTES = MAGIC.length + FINGERPRINT_BYTES;

/** What a bot stores of its exchange account. */
export interface SealedKeys extends Keys {
  /** The text behind the account's digest; keys of older releases lack it. */
  account?: string;
}

/** One SECRETS_KEY. */
export interface KeyVersion {
  /** Identifies the key without revealing it. */
  readonly fingerprint: string;
  /** Seals a bot's keys, so that they open for this bot only. */
  seal(botId: string, keys: SealedKeys): Buffer;
  /** Returns a keyed hash: equal for equal accounts, and not reversible. */
  digest(account: string): string;
}

export interface KeySafe {
  /** Returns the current key, then the previous one if the process holds it. */
  versions(): [current: KeyVersion, previous: KeyVersion | undefined];
  /**
   * Opens keys sealed with any key that this process holds.
   * @throws UnknownKeyVersion for keys sealed with another SECRETS_KEY.
   * @throws UnreadableKey for damaged keys and those of another bot.
   */
  open(botId: string, sealed: Uint8Array): SealedKeys;
  /** Makes `secretsKey` the current key, and the current key the previous one. */
  replace(secretsKey: string): void;
  seal: KeyVersion['seal'];
  digest: KeyVersion['digest'];
}

/** A bot's key is sealed with a SECRETS_KEY that this process does not hold. Another process may hold it. */
export class UnknownKeyVersion extends Error {
  constructor() {
    super("This bot's key is sealed with another SECRETS_KEY.");
  }
}

/** Returns the last characters of a key, which users recognize it by. */
export const hintOf = (key: string): string => key.slice(-4);

/** Creates the safe that seals exchange keys with AES-256-GCM and SECRETS_KEY. It also opens those sealed with `previous`. */
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
  /** Opens sealed keys without their header. */
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
    seal(botId, { key, secret, account, passphrase }) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(botId));
      const text = Buffer.concat([cipher.update(JSON.stringify([key, secret, account, passphrase]), 'utf8'), cipher.final()]);
      return Buffer.concat([header, iv, text, cipher.getAuthTag()]);
    },
    open(botId, bytes) {
      try {
        const cipher = createDecipheriv(CIPHER, sealing, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(botId))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = Buffer.concat([cipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), cipher.final()]).toString('utf8');
        const [key, secret, account, passphrase] = JSON.parse(text) as [string, string, ...(string | null | undefined)[]];
        return { key, secret, ...(account != null && { account }), ...(passphrase != null && { passphrase }) };
      } catch {
        throw new UnreadableKey();
      }
    },
    digest: (account) => createHmac('sha256', naming).update(account).digest('base64url'),
  };
}

/** Returns the first bytes of everything that this key has sealed. */
export const headerOf = ({ fingerprint }: KeyVersion): Buffer => Buffer.concat([MAGIC, Buffer.from(fingerprint, 'hex')]);
