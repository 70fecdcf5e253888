import type { LoginBody, RegisterBody, Tokens, VerifyOtpBody } from '../../../contract/account';
import { MESSAGES } from '../../../contract/account-rules';
import type { Clock } from '../../../domain/clock';
import type { UserBlobs } from '../../blobs/user-blobs';
import type { Db } from '../../db/open';
import type { Errands } from '../../errands';
import { badRequest, notFound, Problem } from '../../http/errors';
import type { MailPort } from '../../ports/mail/mail';
import type { Notify } from '../notifications/service';
import type { Subscriptions } from '../subscriptions/service';
import { createCodes } from './codes/codes';
import { createGrants } from './codes/grants';
import { createMailedCodes } from './codes/mailed-codes';
import { createRecovery, type Recovery } from './codes/recovery';
import { copiedSessionLetter } from './letters';
import { SESSION_COPIED, SIGNED_IN } from './notices';
import { createPasswordChange } from './password-change';
import { hashPassword, passwordMatches } from './passwords';
import { createProfiles, type Profiles } from './profile/profiles';
import type { SessionClient } from './sessions/client';
import type { Sessions } from './sessions/sessions';
import { findUser, findUserByEmail, insertOrReplaceUnverified, lockUser, normalEmail, setVerified } from './store';

/** Characters that have a meaning of their own where mail addresses are listed; spec §5's pattern lets them through. */
const LIST_CHARACTERS = /[<>()[\],;:\\"]/;

export interface Accounts {
  register(body: RegisterBody): Promise<{ id: string; email: string }>;
  login(body: LoginBody, client: SessionClient): Promise<Tokens>;
  verifyOtp(body: VerifyOtpBody): Promise<void>;
  /** Returns at once and says nothing of whether the account exists; the mail follows. */
  resendCode(email: string): void;
  /** Verifies the address that a mailed link stands for; 404 for a link that is unknown or too old. */
  verifyLink(token: string): Promise<void>;
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
  report: (error: unknown) => void;
}): Accounts {
  const { db, clock, mail, sessions, publicUrl, errands, notify } = options;
  const codes = createCodes({ clock, secretsKey: options.secretsKey });
  const grants = createGrants({ clock });
  const mailedCodes = createMailedCodes({ db, codes, mail, errands, secretsKey: options.secretsKey, publicUrl });
  const changePassword = createPasswordChange({ codes, grants, sessions, mail, errands, notify, publicUrl });

  sessions.onReused((userId) =>
    errands.run(async () => {
      const user = await findUser(db, userId);
      if (!user) return;
      const show = await db.transaction((tx) => notify(tx, userId, SESSION_COPIED));
      show();
      await mail.send(copiedSessionLetter(user.email, user.firstName, publicUrl));
    }),
  );

  return {
    recovery: createRecovery({ db, codes, grants, mailedCodes, changePassword }),
    profiles: createProfiles({ db, changePassword, subscriptions: options.subscriptions, blobs: options.blobs, errands }),

    async register(body) {
      const email = normalEmail(body.email);
      if (LIST_CHARACTERS.test(email)) throw badRequest('validation', MESSAGES.emailFormat, { fields: { email: MESSAGES.emailFormat } });
      const passwordHash = await hashPassword(body.password);
      const { user, letter } = await db.transaction(async (tx) => {
        const row = { email, firstName: body.first_name, lastName: body.last_name, country: body.country.toLowerCase(), passwordHash };
        const stored = await insertOrReplaceUnverified(tx, { ...row, createdAt: new Date(clock()) });
        if (!stored) throw badRequest('email_taken', 'An account with this email already exists. Please log in instead.');
        return { user: stored, letter: await mailedCodes.letterFor(tx, stored, 'verify-email') };
      });
      await mail.send(letter).catch((error: unknown) => {
        options.report(error);
        throw new Problem(503, 'mail_unavailable', 'We could not send you the code. Please try again in a moment.');
      });
      return { id: user.id, email: user.email };
    },

    async login(body, client) {
      const user = await findUserByEmail(db, normalEmail(body.email));
      if (!(await passwordMatches(body.password, user?.passwordHash)) || !user) throw wrongCredentials();
      if (!user.verifiedAt) throw badRequest('not_verified', 'Please verify your email address first.', { isVerified: 2 });
      const { tokens, tell, show } = await db.transaction(async (tx) => {
        // A password that was changed in the meantime must not open a session any more.
        const current = await lockUser(tx, user.id);
        if (current?.passwordHash !== user.passwordHash) throw wrongCredentials();
        const show = (await sessions.hasOpen(tx, user.id)) ? await notify(tx, user.id, SIGNED_IN) : () => undefined;
        return { ...(await sessions.open(tx, current, client)), show };
      });
      tell();
      show();
      return tokens;
    },

    verifyOtp: (body) => mailedCodes.redeem(body, 'verify-email', (tx, user) => setVerified(tx, user.id, new Date(clock()))),

    resendCode: (email) => mailedCodes.request(email, 'verify-email'),

    async verifyLink(token) {
      const userId = await db.transaction(async (tx) => {
        const id = await codes.userOfLink(tx, 'verify-email', token);
        if (id) await setVerified(tx, id, new Date(clock()));
        return id;
      });
      if (!userId) throw notFound('This link is not valid any more.');
    },
  };
}

const wrongCredentials = () => badRequest('invalid_credentials', 'Invalid email or password', { isVerified: 1 });
