import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** An authenticator and a browser in front of it, written from the WebAuthn standard (level 2), without the library that the server uses. */

/** Values that CBOR encodes here: maps as lists of pairs, because COSE has numbers as keys. */
type Cbor = number | string | Buffer | readonly (readonly [number | string, Cbor])[];

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  const wide = Buffer.alloc(3);
  wide.writeUInt8((major << 5) | 25, 0);
  wide.writeUInt16BE(size, 1);
  return wide;
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  return Buffer.concat([head(5, value.length), ...value.flatMap(([key, inner]) => [cbor(key), cbor(inner)])]);
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** What may differ from a right answer. */
export interface Changes {
  origin?: string;
  rpId?: string;
  /** The type in the client data. */
  type?: string;
  challenge?: string;
  /** Flags of the authenticator data: 1 present, 4 verified, 8 can be backed up, 16 backed up, 64 holds a key. */
  flags?: number;
  counter?: number;
  userHandle?: string | null;
  format?: string;
  statement?: Cbor;
  algorithm?: number;
  signature?: (data: Buffer) => Buffer;
}

export interface SoftwareAuthenticator {
  readonly id: string;
  userHandle: string | undefined;
  /** Signatures so far. */
  counter: number;
  create(options: { challenge: string; rp: { id: string }; user: { id: string } }, changes?: Changes): CreatedJson;
  get(options: { challenge: string; rpId: string }, changes?: Changes): UsedJson;
}

interface CreatedJson {
  id: string;
  rawId: string;
  type: 'public-key';
  response: { clientDataJSON: string; attestationObject: string; transports: string[] };
}

export interface UsedJson {
  id: string;
  rawId: string;
  type: 'public-key';
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | null };
}

const PRESENT_VERIFIED = 5;
const HOLDS_KEY = 64;

/** A new credential with an ES256 key, for pages of `origin`. `counts`: whether it counts its signatures. */
export function softwareAuthenticator(origin: string, { counts = false } = {}): SoftwareAuthenticator {
  const credentialId = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = credentialId.toString('base64url');
  const clientData = (type: string, challenge: string, changes: Changes) =>
    Buffer.from(
      JSON.stringify({
        type: changes.type ?? type,
        challenge: changes.challenge ?? challenge,
        origin: changes.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authData = (rpId: string, flags: number, counter: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  };

  return {
    id,
    userHandle: undefined,
    counter: 0,

    create({ challenge, rp, user }, changes = {}) {
      this.userHandle = user.id;
      const size = Buffer.alloc(2);
      size.writeUInt16BE(credentialId.length);
      const data = Buffer.concat([
        authData(changes.rpId ?? rp.id, changes.flags ?? PRESENT_VERIFIED | HOLDS_KEY, changes.counter ?? 0),
        Buffer.alloc(16),
        size,
        credentialId,
        coseKey(publicKey, changes.algorithm ?? -7),
      ]);
      const statement = cbor([
        ['fmt', changes.format ?? 'none'],
        ['attStmt', changes.statement ?? []],
        ['authData', data],
      ]);
      const clientDataJSON = clientData('webauthn.create', challenge, changes).toString('base64url');
      const response = { clientDataJSON, attestationObject: statement.toString('base64url'), transports: ['internal'] };
      return { id, rawId: id, type: 'public-key', response };
    },

    get({ challenge, rpId }, changes = {}) {
      if (counts) this.counter++;
      const data = authData(changes.rpId ?? rpId, changes.flags ?? PRESENT_VERIFIED, changes.counter ?? this.counter);
      const client = clientData('webauthn.get', challenge, changes);
      const signed = Buffer.concat([data, sha256(client)]);
      const sign = changes.signature ?? ((bytes: Buffer) => createSign('sha256').update(bytes).sign(privateKey));
      const userHandle = changes.userHandle === undefined ? this.userHandle : changes.userHandle;
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign(signed).toString('base64url'),
        ...(userHandle !== undefined && { userHandle }),
      };
      return { id, rawId: id, type: 'public-key', response };
    },
  };
}

/** An elliptic curve key in COSE: type 2 (EC2), its algorithm, curve 1 (P-256), x and y. */
function coseKey(publicKey: KeyObject, algorithm: number): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return cbor([
    [1, 2],
    [3, algorithm],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
}
