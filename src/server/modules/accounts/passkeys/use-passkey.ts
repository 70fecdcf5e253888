import { PASSKEY_EXPIRED, PASSKEY_REFUSED, type RequestOptions, type UsedCredential } from '#contract/account/passkeys.ts';
import type { Clock } from '#domain/clock.ts';
import type { AfterResponse } from '#server/after-response.ts';
import type { Audit } from '#server/audit.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { badRequest } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import type { Notify } from '#server/modules/notifications/service.ts';
import type { MailPort } from '#server/ports/mail/mail.ts';
import { copiedPasskeyLetter } from '../mails.ts';
import { PASSKEY_COPIED } from '../security-notices.ts';
import { lockUserRow, type UserRow } from '../store.ts';
import { CHALLENGE_LIFE, type Challenges, type Owner, type Purpose } from './challenges.ts';
import type { RelyingParty } from './relying-party.ts';
import { findCredential, findPasskeys, markUsed, type PasskeyRow } from './store.ts';
import { challengeOf, verifyUsed } from './verify.ts';

export interface PasskeyParts {
  db: Db;
  clock: Clock;
  party: RelyingParty;
  challenges: Challenges;
  notify: Notify;
  mail: MailPort;
  afterResponse: AfterResponse;
  audit: Audit;
  publicUrl: string;
}

type UsePurpose = Exclude<Purpose, 'register'>;

interface Use<T> {
  credential: UsedCredential;
  purpose: UsePurpose;
  owner: Owner;
  from: Networks;
  /** Runs in the transaction that stores the use, with the user's row locked. */
  run: (tx: Tx, user: UserRow) => Promise<T>;
}

export interface PasskeyUse {
  /** Returns options of `navigator.credentials.get`. Those of a sign-in are the same for all. */
  options(purpose: UsePurpose, owner?: Owner): Promise<RequestOptions>;
  /** Checks a signature, which uses its challenge up, and calls `run`. Throws 400 for all that is refused. */
  use<T>(use: Use<T>): Promise<T>;
}

/** What a refused sign-in or confirmation is in the audit. */
const REFUSALS = { 'sign-in': 'sign-in-refused', confirm: 're-authentication-refused' } as const;

export function createPasskeyUse(parts: PasskeyParts): PasskeyUse {
  const { db, clock, party, challenges, notify, mail, afterResponse, audit } = parts;

  /** Returns the passkey that signed, or undefined. */
  async function findSigner({ credential, owner }: Pick<Use<never>, 'credential' | 'owner'>, challenge: string) {
    const passkey = await findCredential(db, credential.id);
    const use = passkey && (await verifyUsed(party, credential, passkey, challenge));
    const { userHandle } = credential.response;
    // Without a session, the handle names the user. A confirmation may lack it.
    const isOwn = owner
      ? passkey?.userId === owner.userId && (!userHandle || userHandle === passkey.handle)
      : userHandle === passkey?.handle;
    return passkey && use && isOwn ? { passkey, use } : undefined;
  }

  async function reportCopy(tx: Tx, user: UserRow): Promise<() => void> {
    const show = await notify(tx, user.id, PASSKEY_COPIED);
    return () => {
      show();
      audit.note('passkey-copied', { userId: user.id });
      afterResponse.run(() => mail.send(copiedPasskeyLetter(user.email, user.firstName, parts.publicUrl)));
    };
  }

  return {
    async options(purpose, owner) {
      const allowed = owner ? await findPasskeys(db, owner.userId) : [];
      return {
        challenge: await challenges.issue(purpose, owner),
        rpId: party.id,
        timeout: CHALLENGE_LIFE,
        userVerification: 'required',
        allowCredentials: allowed.map(descriptorOf),
      };
    },

    async use<T>({ credential, purpose, owner, from, run }: Use<T>): Promise<T> {
      const refuse = (about: string, userId: string | undefined) => {
        audit.note(REFUSALS[purpose], { userId, network: from.wide, about: `passkey, ${about}` });
        return badRequest(PASSKEY_REFUSED, 'This passkey was not accepted. Use your password instead.');
      };
      const challenge = challengeOf(credential);
      if (challenge === null || !(await challenges.spend(challenge, purpose, owner)))
        throw badRequest(PASSKEY_EXPIRED, 'This took too long. Please try again.');
      const signer = await findSigner({ credential, owner }, challenge);
      if (!signer) throw refuse('unknown or invalid', owner?.userId);
      const { userId } = signer.passkey;
      // Throw outside the transaction, so that the notice of a copy is committed.
      const result = await db.transaction(async (tx) => {
        const user = await lockUserRow(tx, userId);
        const outcome = user ? await markUsed(tx, signer.passkey, signer.use, new Date(clock())) : 'gone';
        if (!user || outcome === 'gone') return { about: 'removed', tell: () => undefined };
        if (outcome === 'copied') return { about: 'counter', tell: await reportCopy(tx, user) };
        return { done: await run(tx, user) };
      });
      if ('done' in result) return result.done;
      result.tell();
      throw refuse(result.about, userId);
    },
  };
}

/** Names a passkey to the browser. */
export const descriptorOf = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId,
  type: 'public-key' as const,
  ...(transports.length > 0 && { transports }),
});
