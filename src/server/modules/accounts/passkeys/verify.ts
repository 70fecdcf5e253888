import * as z from 'zod/mini';
import type { CreatedCredential, UsedCredential } from '#contract/account/passkeys.ts';
import { atMost } from '#contract/text.ts';
import type { RelyingParty } from './relying-party.ts';
import type { KeyUse, PasskeyRow } from './store.ts';

// The library takes 30 MB of memory, so it loads with the first passkey.
const loadLibrary = () => import('@simplewebauthn/server');

/** COSE algorithms of accepted keys: ES256, EdDSA, RS256. */
export const ALGORITHMS = [-7, -8, -257];
/** Bytes of a public key in COSE. An RSA key with 4096 bits has about 530. */
const MAX_KEY = 1_024;

const clientData = z.object({ challenge: z.string().check(atMost(100)) });

/** Returns the challenge that a browser signed, or null for unreadable client data. */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string | null {
  try {
    const parsed = z.safeParse(clientData, JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()));
    return parsed.success ? parsed.data.challenge : null;
  } catch {
    return null;
  }
}

export interface CreatedKey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  synced: boolean;
}

/** Verifies a new passkey. Returns null for one that does not hold. */
export async function verifyCreated(party: RelyingParty, credential: CreatedCredential, challenge: string): Promise<CreatedKey | null> {
  try {
    if (!(await hasAcceptedFormat(credential.response.attestationObject))) return null;
    const { verifyRegistrationResponse } = await loadLibrary();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response: { ...credential.response, transports: undefined as never }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified || !registrationInfo) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    if (id !== credential.id || publicKey.length > MAX_KEY) return null;
    return { credentialId: id, publicKey: Buffer.from(publicKey), counter, synced: registrationInfo.credentialBackedUp };
  } catch {
    return null;
  }
}

/**
 * Refuses statements with certificates: we ask for none, and the library would fetch the revocation lists that a
 * sender's certificates name.
 */
async function hasAcceptedFormat(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/** Verifies a signature of a stored passkey, except its counter. Returns null for one that does not hold. */
export async function verifyUsed(
  party: RelyingParty,
  credential: UsedCredential,
  passkey: Pick<PasskeyRow, 'credentialId' | 'publicKey'>,
  challenge: string,
): Promise<KeyUse | null> {
  try {
    const { verifyAuthenticationResponse } = await loadLibrary();
    const { userHandle, ...response } = credential.response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response: { ...response, ...(userHandle && { userHandle }) }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // The counter is compared under a lock, in `markUsed`.
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    });
    return verified ? { counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp } : null;
  } catch {
    return null;
  }
}
