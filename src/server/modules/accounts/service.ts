import type { Clock } from '#domain/clock.ts';
import type { AfterResponse } from '#server/after-response.ts';
import type { Audit } from '#server/audit.ts';
import type { UserBlobs } from '#server/blobs/user-blobs.ts';
import type { Budgets } from '#server/budgets.ts';
import type { Db } from '#server/db/open.ts';
import type { Guesses } from '#server/guess-limits.ts';
import type { MailPort } from '#server/ports/mail/mail.ts';
import type { Notify } from '../notifications/service.ts';
import type { Subscriptions } from '../subscriptions/service.ts';
import { createCodeMails } from './codes/code-mails.ts';
import { createCodes } from './codes/codes.ts';
import { createGrants } from './codes/grants.ts';
import { createGuessCode } from './codes/guess-code.ts';
import { createLinks } from './codes/links.ts';
import { createRecovery, type Recovery } from './codes/recovery.ts';
import { createLogin, type Login } from './login.ts';
import { copiedSessionLetter } from './mails.ts';
import { createPasskeyAccess, type PasskeyAccess } from './passkeys/access.ts';
import { createChallenges } from './passkeys/challenges.ts';
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts';
import { relyingPartyOf } from './passkeys/relying-party.ts';
import { createPasskeyUse } from './passkeys/use-passkey.ts';
import { createPasswordChange } from './password-change.ts';
import { createProfiles, type Profiles } from './profile/profiles.ts';
import { createVerification, type Verification } from './registrations/verification.ts';
import { SESSION_COPIED } from './security-notices.ts';
import type { Sessions } from './sessions/sessions.ts';
import { findUser } from './store.ts';

/** Everything about accounts except sessions. */
export interface Accounts {
  login: Login['login'];
  readonly passkeys: Passkeys;
  readonly passkeyAccess: PasskeyAccess;
  readonly verification: Verification;
  readonly recovery: Recovery;
  readonly profiles: Profiles;
}

export function createAccounts(options: {
  db: Db;
  clock: Clock;
  mail: MailPort;
  sessions: Sessions;
  secretsKey: string;
  publicUrl: string;
  afterResponse: AfterResponse;
  notify: Notify;
  subscriptions: Pick<Subscriptions, 'current' | 'of'>;
  blobs: UserBlobs;
  budgets: Budgets;
  guesses: Guesses;
  audit: Audit;
  report: (error: unknown) => void;
}): Accounts {
  const { db, clock, mail, sessions, secretsKey, publicUrl, afterResponse, notify, budgets, guesses, audit } = options;
  const codes = createCodes({ clock, secretsKey });
  const grants = createGrants({ clock });
  const links = createLinks({ clock, publicUrl });
  const codeMails = createCodeMails({ codes, links, secretsKey });
  const guessCode = createGuessCode({ db, guesses, codeMails, mail, afterResponse, audit });
  const changePassword = createPasswordChange({ grants, links, sessions, mail, afterResponse, notify, audit, publicUrl });
  const { login, allow, openSignIn } = createLogin({ db, sessions, budgets, guesses, notify, audit });
  const party = relyingPartyOf(publicUrl);
  const challenges = createChallenges({ db, clock });
  const passkeyParts = { db, clock, party, challenges, notify, mail, afterResponse, audit, publicUrl };
  const mailing = { db, codes, links, codeMails, guessCode, mail, afterResponse, audit };

  sessions.onReused((userId) => {
    audit.note('session-reused', { userId });
    afterResponse.run(async () => {
      const user = await findUser(db, userId);
      if (!user) return;
      const show = await db.transaction((tx) => notify(tx, userId, SESSION_COPIED));
      show();
      await mail.send(copiedSessionLetter(user.email, user.firstName, publicUrl));
    });
  });

  return {
    login,
    passkeys: createPasskeys(passkeyParts),
    passkeyAccess: createPasskeyAccess({ db, clock, audit, openSignIn, passkeyUse: createPasskeyUse(passkeyParts) }),
    verification: createVerification({ ...mailing, clock, report: options.report }),
    recovery: createRecovery({ ...mailing, grants, changePassword, onReset: allow, publicUrl }),
    profiles: createProfiles({ db, changePassword, subscriptions: options.subscriptions, blobs: options.blobs, afterResponse }),
  };
}
