import type { Clock } from '../../../domain/clock';
import type { Audit } from '../../audit';
import type { UserBlobs } from '../../blobs/user-blobs';
import type { Budgets } from '../../budgets';
import type { Db } from '../../db/open';
import type { Errands } from '../../errands';
import type { Guesses } from '../../guesses';
import type { MailPort } from '../../ports/mail/mail';
import type { Notify } from '../notifications/service';
import type { Subscriptions } from '../subscriptions/service';
import { createCodeMails } from './codes/code-mails';
import { createCodes } from './codes/codes';
import { createGrants } from './codes/grants';
import { createGuessCode } from './codes/guess-code';
import { createLinks } from './codes/links';
import { createRecovery, type Recovery } from './codes/recovery';
import { copiedSessionLetter } from './letters';
import { createLogin, type Login } from './login';
import { SESSION_COPIED } from './notices';
import { createPasswordChange } from './password-change';
import { createProfiles, type Profiles } from './profile/profiles';
import { createVerification, type Verification } from './registrations/verification';
import type { Sessions } from './sessions/sessions';
import { findUser } from './store';

/** Everything about an account but its sessions. */
export interface Accounts {
  login: Login['login'];
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
  errands: Errands;
  notify: Notify;
  subscriptions: Pick<Subscriptions, 'current' | 'of'>;
  blobs: UserBlobs;
  budgets: Budgets;
  guesses: Guesses;
  audit: Audit;
  report: (error: unknown) => void;
}): Accounts {
  const { db, clock, mail, sessions, secretsKey, publicUrl, errands, notify, budgets, guesses, audit } = options;
  const codes = createCodes({ clock, secretsKey });
  const grants = createGrants({ clock });
  const links = createLinks({ clock, publicUrl });
  const codeMails = createCodeMails({ codes, links, secretsKey });
  const guessCode = createGuessCode({ db, guesses, codeMails, mail, errands, audit });
  const changePassword = createPasswordChange({ grants, links, sessions, mail, errands, notify, audit, publicUrl });
  const { login, allow } = createLogin({ db, sessions, budgets, guesses, notify, audit });
  const mailing = { db, codes, links, codeMails, guessCode, mail, errands, audit };

  sessions.onReused((userId) => {
    audit.note('session-reused', { userId });
    errands.run(async () => {
      const user = await findUser(db, userId);
      if (!user) return;
      const show = await db.transaction((tx) => notify(tx, userId, SESSION_COPIED));
      show();
      await mail.send(copiedSessionLetter(user.email, user.firstName, publicUrl));
    });
  });

  return {
    login,
    verification: createVerification({ ...mailing, clock, report: options.report }),
    recovery: createRecovery({ ...mailing, grants, changePassword, onReset: allow, publicUrl }),
    profiles: createProfiles({ db, changePassword, subscriptions: options.subscriptions, blobs: options.blobs, errands }),
  };
}
