import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { nameText } from '../names.ts';
import { atMost, listOf } from '../text.ts';

/** Maximum passkeys of a user. */
export const MAX_PASSKEYS = 20;
/** Characters of a passkey's name. */
export const MAX_PASSKEY_NAME = 60;

/** `code` of a refused sign-in or confirmation by passkey. */
export const PASSKEY_REFUSED = 'passkey_refused';
/** `code` of a challenge that is unknown, used or older than five minutes. The client asks for new options. */
export const PASSKEY_EXPIRED = 'passkey_expired';

/** A user's passkey. Times are ISO 8601 in UTC. */
export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
  /** True if a password manager copies it to the user's other devices. */
  synced: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;

/** GET /auth/passkeys/, oldest first. */
export const passkeysAnswer = answer(z.array(passkey));
/** POST /auth/passkeys/ and PATCH /auth/passkeys/{id}/. */
export const passkeyAnswer = answer(passkey);

export const passkeyName = nameText(MAX_PASSKEY_NAME, 'Enter a name');
/** PATCH /auth/passkeys/{id}/. */
export const passkeyNameBody = z.object({ name: passkeyName });

/** Bytes in base64url. */
const base64url = (max: number) => z.string().check(atMost(max), z.regex(/^[\w-]+$/));
/** The standard limits a credential id to 1023 bytes. */
const credentialId = base64url(1_400);
const transports = z.optional(z.array(z.string().check(atMost(32))).check(listOf(10)));
const clientDataJSON = base64url(4_096);

const envelope = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** POST /auth/passkeys/: the answer of `navigator.credentials.create`, as its `toJSON` writes it. */
export const registerPasskeyBody = z.object({
  credential: z.object({
    ...envelope,
    response: z.object({ clientDataJSON, attestationObject: base64url(8_192), transports }),
  }),
});
export type CreatedCredential = z.infer<typeof registerPasskeyBody>['credential'];

/** POST /auth/passkeys/sign-in/ and POST /auth/passkeys/confirm/: the answer of `navigator.credentials.get`. */
export const usePasskeyBody = z.object({
  credential: z.object({
    ...envelope,
    response: z.object({
      clientDataJSON,
      authenticatorData: base64url(4_096),
      signature: base64url(2_048),
      userHandle: z.optional(z.nullable(base64url(128))),
    }),
  }),
});
export type UsedCredential = z.infer<typeof usePasskeyBody>['credential'];

const descriptors = z.array(z.object({ id: z.string(), type: z.literal('public-key'), transports: z.optional(z.array(z.string())) }));

/** POST /auth/passkeys/options/: options of `navigator.credentials.create`. Valid once, for five minutes. */
export const creationOptionsAnswer = answer(
  z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
    timeout: z.number(),
    attestation: z.literal('none'),
    excludeCredentials: descriptors,
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.boolean(),
      userVerification: z.literal('required'),
    }),
  }),
);

const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  /** Empty for a sign-in, so that it does not reveal who has an account. */
  allowCredentials: descriptors,
});
export type RequestOptions = z.infer<typeof requestOptions>;

/** POST /auth/passkeys/sign-in-options/. */
export const requestOptionsAnswer = answer(requestOptions);
/** POST /auth/passkeys/confirm-options/. Null for a user without a passkey. */
export const confirmOptionsAnswer = answer(z.nullable(requestOptions));
