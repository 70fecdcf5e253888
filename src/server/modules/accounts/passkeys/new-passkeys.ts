import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import {
  type CreatedCredential,
  type creationOptionsAnswer,
  MAX_PASSKEYS,
  PASSKEY_EXPIRED,
  PASSKEY_REFUSED,
  type Passkey,
} from '#contract/account/passkeys.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import type { Identity } from '#server/http/authenticate.ts';
import { badRequest, Problem, unauthorized } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import { lockUserRow } from '../store.ts';
import { announceChange } from './announce-change.ts';
import { CHALLENGE_LIFE } from './challenges.ts';
import { findCredential, findPasskeys, takeHandle, toPasskey } from './store.ts';
import { descriptorOf, type PasskeyParts } from './use-passkey.ts';
import { ALGORITHMS, challengeOf, verifyCreated } from './verify.ts';

/** Adding a passkey to a signed-in user. */
export interface NewPasskeys {
  /** Returns options of `navigator.credentials.create`. Throws 400 beyond MAX_PASSKEYS. */
  creationOptions(identity: Identity): Promise<z.infer<typeof creationOptionsAnswer>['data']>;
  /** Stores a new passkey; the same one again returns the stored one. Throws 400 for an invalid one or beyond MAX_PASSKEYS. */
  add(identity: Identity, credential: CreatedCredential, name: string, from: Networks): Promise<Passkey>;
}

const full = () => badRequest('passkeys_full', `You can have at most ${MAX_PASSKEYS} passkeys. Remove one first.`);

export function createNewPasskeys(parts: PasskeyParts): NewPasskeys {
  const { db, clock, party, challenges } = parts;

  return {
    async creationOptions({ userId, sessionId }) {
      const present = await findPasskeys(db, userId);
      if (present.length >= MAX_PASSKEYS) throw full();
      const user = await takeHandle(db, userId);
      if (!user) throw unauthorized();
      return {
        challenge: await challenges.issue('register', { userId, sessionId }),
        rp: { id: party.id, name: party.name },
        user: { id: user.handle, name: user.email, displayName: user.email },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
        timeout: CHALLENGE_LIFE,
        attestation: 'none',
        excludeCredentials: present.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      };
    },

    async add(identity, credential, name, from) {
      const { userId } = identity;
      // The answer to the first request may have been lost.
      const stored = await findCredential(db, credential.id);
      if (stored?.userId === userId) return toPasskey(stored);
      const challenge = challengeOf(credential);
      if (challenge === null || !(await challenges.spend(challenge, 'register', identity)))
        throw badRequest(PASSKEY_EXPIRED, 'This took too long. Please try again.');
      const created = await verifyCreated(party, credential, challenge);
      if (!created) throw badRequest(PASSKEY_REFUSED, 'This passkey could not be verified. Nothing was added.');
      const { row, tell } = await db.transaction(async (tx) => {
        const user = await lockUserRow(tx, userId);
        if (!user || user.erasingAt) throw unauthorized();
        if ((await tx.$count(passkeys, eq(passkeys.userId, userId))) >= MAX_PASSKEYS) throw full();
        const transports = credential.response.transports ?? [];
        const [row] = await tx
          .insert(passkeys)
          .values({ userId, ...created, transports, name, createdAt: new Date(clock()) })
          .onConflictDoNothing()
          .returning();
        if (!row) throw new Problem(409, 'passkey_known', 'This passkey is in use already.');
        return { row, tell: await announceChange(parts, tx, { user, name, from, change: 'added' }) };
      });
      tell();
      return toPasskey(row);
    },
  };
}
