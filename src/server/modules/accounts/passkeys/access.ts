import type { RequestOptions, UsedCredential } from '#contract/account/passkeys.ts';
import type { Tokens } from '#contract/account/tokens.ts';
import type { Clock } from '#domain/clock.ts';
import type { Audit } from '#server/audit.ts';
import type { Db } from '#server/db/open.ts';
import type { Identity } from '#server/http/authenticate.ts';
import { unauthorized } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import type { OpenSignIn } from '../login.ts';
import type { SessionClient } from '../sessions/client.ts';
import { markProven } from '../sessions/proofs.ts';
import { hasPasskeys } from './passkeys.ts';
import type { PasskeyUse } from './use-passkey.ts';

/** Signing in and confirming by passkey instead of the password. */
export interface PasskeyAccess {
  signInOptions(): Promise<RequestOptions>;
  /** Opens a session like a login. Throws 400 for a passkey that is refused, 403 while the account is deleted. */
  signIn(credential: UsedCredential, client: SessionClient, from: Networks): Promise<Tokens>;
  /** Returns null for a user without a passkey. */
  confirmOptions(identity: Identity): Promise<RequestOptions | null>;
  /** Confirms for this session what the password confirms. Throws 400 for a passkey that is refused. */
  confirm(identity: Identity, credential: UsedCredential, from: Networks): Promise<void>;
}

interface Parts {
  db: Db;
  clock: Clock;
  audit: Audit;
  passkeyUse: PasskeyUse;
  openSignIn: OpenSignIn;
}

export function createPasskeyAccess({ db, clock, audit, passkeyUse, openSignIn }: Parts): PasskeyAccess {
  return {
    signInOptions: () => passkeyUse.options('sign-in'),

    async signIn(credential, client, from) {
      const { userId, tokens, tell } = await passkeyUse.use({
        ...{ credential, purpose: 'sign-in', owner: undefined, from },
        run: async (tx, user) => ({ userId: user.id, ...(await openSignIn(tx, user, client)) }),
      });
      tell();
      audit.note('sign-in', { userId, network: from.wide, about: 'passkey' });
      return tokens;
    },

    confirmOptions: async (identity) => ((await hasPasskeys(db, identity.userId)) ? passkeyUse.options('confirm', identity) : null),

    async confirm(identity, credential, from) {
      const { userId, sessionId } = identity;
      const isProven = await passkeyUse.use({
        ...{ credential, purpose: 'confirm', owner: identity, from },
        run: (tx) => markProven(tx, sessionId, new Date(clock())),
      });
      if (!isProven) throw unauthorized();
      audit.note('re-authentication', { userId, network: from.wide, about: 'passkey' });
    },
  };
}
